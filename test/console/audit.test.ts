import { expect, test } from 'vitest'
import { createApp } from '../../src/server/catalog/apps.ts'
import type { AuditExportPiece } from '../../src/shared/console/audit.ts'
import { readCsv } from '../support/csv.ts'
import { publish, serve } from '../support/fixtures.ts'
import { ACTOR, type TestServer } from '../support/server.ts'
import { type Caller, callerOf, failureOf, startConsole } from './helpers.ts'

const FAR = '2999-01-01T00:00:00Z'

/** An app from the console, another from the command line, two releases by key, one rolled back. */
async function startWithHistory(): Promise<{ server: TestServer; console: Caller }> {
  const started = await startConsole()
  const { server } = started
  await createApp(server.catalog, ACTOR, { ref: 'viewer' })
  await publish(server, '1.0.0')
  await publish(server, '1.1.0', { rolloutPct: 10 })
  await serve(server, '1.1.0', { status: 'rolled_back' })
  return started
}

async function exported(caller: Caller, filter: Parameters<Caller['audit']['export']>[0] = {}) {
  const pieces: AuditExportPiece[] = []
  for await (const piece of await caller.audit.export(filter)) pieces.push(piece)
  return { pieces, text: pieces.map(({ text }) => text).join('') }
}

test('entries come newest first, with who made them, from where, and what changed', async () => {
  const { console } = await startWithHistory()
  const { entries, total, next } = await console.audit.list({})
  expect({ total, next }).toEqual({ total: 6, next: null })
  expect(entries.map(({ action, actor }) => [action, actor.kind])).toEqual([
    ['release.serving_changed', 'key'],
    ['release.published', 'key'],
    ['release.published', 'key'],
    ['app.created', 'command_line'],
    ['app.created', 'console'],
    ['key.minted', 'command_line'],
  ])
  expect(entries[0]).toMatchObject({
    app: 'editor',
    channel: 'stable',
    version: '1.1.0',
    before: { status: 'published' },
    after: { status: 'rolled_back' },
  })
})

test.each([
  [{ app: 'viewer' }, 1],
  [{ app: 'nope' }, 0],
  [{ channel: 'stable' }, 3],
  [{ app: 'editor', actorKind: 'key' as const }, 3],
  [{ actorKind: 'console' as const }, 1],
  [{ actionGroup: 'release' as const }, 3],
  [{ actionGroup: 'app' as const, app: 'editor' }, 1],
  [{ search: 'ROLLED_BACK' }, 1],
  [{ search: '1.1.0' }, 2],
  // Signs that mean something to LIKE stand for themselves.
  [{ search: '1%0' }, 0],
  [{ search: 'rolled-back' }, 0],
  [{ search: '\\' }, 0],
  [{ from: FAR }, 0],
  [{ to: FAR }, 6],
  [{ to: '2001-01-01T00:00:00Z' }, 0],
  // Without milliseconds it is the same moment.
  [{ from: '2999-01-01T00:00:00Z', to: '2999-01-01T00:00:00.000Z' }, 0],
])('%j leaves %i entries', async (filter, count) => {
  const { console } = await startWithHistory()
  const { entries, total } = await console.audit.list(filter)
  expect({ entries: entries.length, total }).toEqual({ entries: count, total: count })
})

test('a moment is in what begins with it, and not in what ends with it', async () => {
  const { console } = await startWithHistory()
  const [newest] = (await console.audit.list({})).entries
  const at = newest?.at ?? ''
  const { entries } = await console.audit.list({ from: at })
  expect(entries.map(({ id }) => id)).toContain(newest?.id)
  expect((await console.audit.list({ to: at })).entries.map(({ id }) => id)).not.toContain(
    newest?.id,
  )
})

test('pages meet without a gap, also while entries are added', async () => {
  const { server, console } = await startWithHistory()
  const all = (await console.audit.list({})).entries.map(({ id }) => id)
  const first = await console.audit.list({ perPage: 4 })
  await publish(server, '1.2.0')
  const second = await console.audit.list({ perPage: 4, before: first.next ?? 0 })
  expect([...first.entries, ...second.entries].map(({ id }) => id)).toEqual(all)
  expect({ next: second.next, total: second.total }).toEqual({ next: null, total: 7 })
})

test('a page that is exactly full has no next one', async () => {
  const { console } = await startWithHistory()
  expect((await console.audit.list({ perPage: 6 })).next).toBeNull()
  expect((await console.audit.list({ perPage: 5 })).next).not.toBeNull()
})

test('a filter that makes no sense is refused by the name of its field', async () => {
  const { console } = await startConsole()
  const refused = async (input: Parameters<Caller['audit']['list']>[0]) =>
    (await failureOf(console.audit.list(input), input)).message
  expect(await refused({ perPage: 101 })).toMatch(/^perPage: /)
  expect(await refused({ from: 'yesterday' })).toMatch(/^from: /)
  expect(await refused({ search: 'x'.repeat(201) })).toMatch(/^search: /)
})

test('the export holds what the list holds, in the same order', async () => {
  const { console } = await startWithHistory()
  const filter = { actionGroup: 'release' as const }
  const { text, pieces } = await exported(console, filter)
  const { entries } = await console.audit.list(filter)
  const [header, ...rows] = readCsv(text)
  expect(header).toEqual([
    'id',
    'at',
    'actorKind',
    'actor',
    'action',
    'app',
    'channel',
    'version',
    'before',
    'after',
  ])
  const json = (value: unknown) => (value === null ? '' : JSON.stringify(value))
  expect(rows).toEqual(
    entries.map(({ id, at, actor, action, app, channel, version, before, after }) => [
      String(id),
      at,
      actor.kind,
      actor.name,
      action,
      app,
      channel,
      version,
      json(before),
      json(after),
    ]),
  )
  expect(pieces.at(-1)).toMatchObject({ done: 3, total: 3 })
})

test('the export of nothing is the header alone', async () => {
  const { console } = await startConsole()
  expect(readCsv((await exported(console, { from: FAR })).text)).toHaveLength(1)
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '＝1'])(
  'a name such as %j is no formula in a spreadsheet',
  async (name) => {
    const { server, console } = await startConsole()
    await server.catalog.store.transact((tx) =>
      tx.appendAudit({
        at: new Date().toISOString(),
        actor: { kind: 'key', name },
        action: 'key.used',
        app: null,
        channel: null,
        version: null,
        before: null,
        after: null,
      }),
    )
    const [, newest] = readCsv((await exported(console)).text)
    expect(newest?.[3]).toBe(`'${name}`)
  },
)

test('quotes, line breaks and letters of all scripts come through the export', async () => {
  const { server, console } = await startConsole()
  const name = 'Möwe, "the 🚢"\r\nline two'
  await console.apps.create({ ref: 'gull', name: 'Gull' })
  await server.catalog.change((tx) =>
    tx.appendAudit({
      at: new Date().toISOString(),
      actor: { kind: 'console', name },
      action: 'app.renamed',
      app: 'gull',
      channel: null,
      version: null,
      before: { name },
      after: { name: 'x' },
    }),
  )
  const [, newest] = readCsv((await exported(console)).text)
  expect(newest?.[3]).toBe(name)
  expect(JSON.parse(newest?.[8] ?? '')).toEqual({ name })
})

test('an export that is cancelled ends', async () => {
  const { server } = await startWithHistory()
  const controller = new AbortController()
  const caller = callerOf(server, controller.signal)
  controller.abort()
  const pieces: AuditExportPiece[] = []
  try {
    for await (const piece of await caller.audit.export({})) pieces.push(piece)
  } catch {
    // Whoever aborted hears of it as an error, or of nothing.
  }
  expect(pieces).toEqual([])
})
