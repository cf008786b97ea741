import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AuditSpan } from '../../../../src/server/catalog/audit-log.ts'
import { AuditCounts, walkDown } from '../../../../src/server/console/audit/audit-counts.ts'
import { publish } from '../../../support/servers/calls.ts'
import { type Caller, failureOf, startConsole } from '../../../support/servers/console.ts'
import { startWithHistory } from './audit-history.ts'

const FAR = '2999-01-01T00:00:00Z'

test('entries come newest first, with actor, source and change', async () => {
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

const FILTERS: readonly (readonly [Parameters<Caller['audit']['list']>[0], number])[] = [
  [{ app: 'viewer' }, 1],
  [{ app: 'nope' }, 0],
  [{ channel: 'stable' }, 3],
  [{ app: 'editor', actorKind: 'key' }, 3],
  [{ actorKind: 'console' }, 1],
  [{ actionGroup: 'release' }, 3],
  [{ actionGroup: 'app', app: 'editor' }, 1],
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
]

test('a filter leaves the entries that match it, and counts them', async () => {
  const { console } = await startWithHistory()
  for (const [filter, count] of FILTERS) {
    const { entries, total } = await console.audit.list(filter)
    const left = { entries: entries.length, total }
    expect(left, JSON.stringify(filter)).toEqual({ entries: count, total: count })
  }
})

test('a span includes its start and excludes its end', async () => {
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
  expect(await refused({ perPage: 101 })).toMatch(/^Per page: /)
  expect(await refused({ from: 'yesterday' })).toMatch(/^From: /)
  expect(await refused({ search: 'x'.repeat(201) })).toMatch(/^Search: /)
})

test('spans cover every id once, the newest first', async () => {
  const ids = fc.tuple(fc.nat(3_000), fc.nat(30_000))
  await fc.assert(
    fc.asyncProperty(ids, async ([above, length]) => {
      let top = above + length
      for await (const span of walkDown({ above, through: above + length })) {
        expect(span.through).toBe(top)
        expect(span.above).toBeLessThan(span.through)
        top = span.above
      }
      expect(top).toBe(above)
    }),
    { numRuns: 30 },
  )
})

test('other work of the thread runs between two spans', async () => {
  let turns = 0
  let spans = 0
  const beat = () => {
    turns += 1
    if (spans < 10) setImmediate(beat)
  }
  setImmediate(beat)
  for await (const _ of walkDown({ above: 0, through: 1_000_000 })) {
    spans += 1
    if (spans === 10) break
  }
  expect(turns).toBeGreaterThanOrEqual(9)
})

/** A log in which every id matches, and the spans that were counted of it. */
function counted() {
  const spans: AuditSpan[] = []
  const counts = new AuditCounts({
    countAudit: async (_, span) => {
      spans.push(span)
      return span.through - span.above
    },
  })
  return { spans, counts }
}

test('only new entries are counted', async () => {
  const { spans, counts } = counted()
  expect(await counts.upTo(700, { app: 'editor' })).toBe(700)
  spans.length = 0
  expect(await counts.upTo(700, { app: 'editor' })).toBe(700)
  expect(spans).toEqual([])
  expect(await counts.upTo(705, { app: 'editor' })).toBe(705)
  expect(spans).toEqual([{ above: 700, through: 705 }])
})

test('another filter is counted on its own, and an older moment from the start', async () => {
  const { spans, counts } = counted()
  await counts.upTo(700, { app: 'editor' })
  spans.length = 0
  await counts.upTo(10, { app: 'viewer' })
  expect(spans).toEqual([{ above: 0, through: 10 }])
  expect(await counts.upTo(20, { app: 'editor' })).toBe(20)
  spans.length = 0
  expect(await counts.upTo(700, { app: 'editor' })).toBe(700)
  expect(spans).toEqual([])
})
