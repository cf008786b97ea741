import { expect, test } from 'vitest'
import { auditEntry } from '../../../../src/server/catalog/audit-log.ts'
import { exportAudit } from '../../../../src/server/console/audit/audit.ts'
import { AuditCounts } from '../../../../src/server/console/audit/audit-counts.ts'
import { type ExportPiece, MAX_EXPORT_ENTRIES } from '../../../../src/shared/console/audit.ts'
import { ACTOR } from '../../../support/builders/actor.ts'
import { readCsv } from '../../../support/csv.ts'
import { type Caller, failureOf, startConsole } from '../../../support/servers/console.ts'
import type { TestServer } from '../../../support/servers/server.ts'
import { startWithHistory } from './audit-history.ts'

const AT = new Date().toISOString()

async function exported(caller: Caller, filter: Parameters<Caller['audit']['export']>[0] = {}) {
  const pieces: ExportPiece[] = []
  for await (const piece of await caller.audit.export(filter)) pieces.push(piece)
  return { pieces, text: pieces.map(({ text }) => text).join('') }
}

test('the export equals the list, in the same order', async () => {
  const { console } = await startWithHistory()
  const filter = { actionGroup: 'release' as const }
  const { text, pieces } = await exported(console, filter)
  const { entries } = await console.audit.list(filter)
  const [header, ...rows] = readCsv(text)
  expect(header).toEqual([
    ...['id', 'at', 'actorKind', 'actor', 'action', 'app', 'channel', 'version'],
    ...['before', 'after', 'address', 'via', 'keyPrefix'],
  ])
  const json = (value: unknown) => (value === null ? '' : JSON.stringify(value))
  expect(rows).toEqual(
    entries.map(({ id, at, actor, action, app, channel, version, before, after }) => [
      ...[String(id), at, actor.kind, actor.name, action, app, channel, version],
      ...[json(before), json(after)],
      ...[actor.address ?? '', actor.via ?? '', actor.keyPrefix ?? ''],
    ]),
  )
  expect(pieces.at(-1)).toMatchObject({ done: 3, total: 3 })
})

test('an empty export is only the header', async () => {
  const { console } = await startConsole()
  expect(readCsv((await exported(console, { from: '2999-01-01T00:00:00Z' })).text)).toHaveLength(1)
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '＝1'])(
  'a name such as %j is no formula in a spreadsheet',
  async (name) => {
    const { server, console } = await startConsole()
    await server.catalog.store.transact((tx) =>
      tx.appendAudit(auditEntry(AT, { kind: 'key', name }, 'key.used', {}, null, null)),
    )
    const [, newest] = readCsv((await exported(console)).text)
    expect(newest?.[3]).toBe(`'${name}`)
  },
)

test('quotes, line breaks and letters of all scripts come through the export', async () => {
  const { server, console } = await startConsole()
  const name = 'Möwe, "the 🚢"\r\nline two'
  await console.apps.create({ ref: 'gull', name: 'Gull' })
  const entry = auditEntry(AT, { kind: 'console', name }, 'app.renamed', {}, { name }, null)
  await server.catalog.change((tx) => tx.appendAudit(entry))
  const [, newest] = readCsv((await exported(console)).text)
  expect(newest?.[3]).toBe(name)
  expect(JSON.parse(newest?.[8] ?? '')).toEqual({ name })
})

/** Adds as many entries, in one transaction. */
function addEntries({ catalog }: TestServer, count: number): Promise<void> {
  return catalog.change(async (tx) => {
    for (let index = 0; index < count; index++) {
      const name = `Editor ${index}`
      await tx.appendAudit(auditEntry(AT, ACTOR, 'app.renamed', {}, { name }, null))
    }
  })
}

test('a long export comes in small pieces with progress, each entry once', async () => {
  const { server, console } = await startConsole()
  await addEntries(server, 5_000)
  const { text, pieces } = await exported(console, { search: 'Editor ' })
  const [, ...rows] = readCsv(text)
  expect(new Set(rows.map(([id]) => id)).size).toBe(5_000)
  expect(pieces.length).toBeGreaterThan(3)
  expect(pieces.map(({ done }) => done)).toEqual(
    pieces.map(({ done }) => done).toSorted((a, b) => a - b),
  )
  expect(new Set(pieces.map(({ total }) => total))).toEqual(new Set([5_000]))
})

test('an export that is cancelled on its way ends there', async () => {
  const { server } = await startConsole()
  await addEntries(server, 5_000)
  const controller = new AbortController()
  const pieces: ExportPiece[] = []
  for await (const piece of exportAudit(server.consoleContext, {}, controller.signal)) {
    pieces.push(piece)
    controller.abort()
  }
  expect(pieces).toHaveLength(1)
  expect(pieces[0]?.done).toBeLessThan(5_000)
})

test('more entries than a file can have are rejected before any is written', async () => {
  const { server } = await startConsole()
  const auditCounts = new AuditCounts({ countAudit: async () => MAX_EXPORT_ENTRIES + 1 })
  const all = exportAudit({ catalog: server.catalog, auditCounts }, {}, undefined)
  expect(await failureOf(all.next())).toMatchObject({
    code: 'invalid',
    message: expect.stringMatching(/^From: .*choose a later start date/),
  })
})
