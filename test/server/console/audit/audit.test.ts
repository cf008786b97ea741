import { expect, test } from 'vitest'
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
  expect(await refused({ perPage: 101 })).toMatch(/^perPage: /)
  expect(await refused({ from: 'yesterday' })).toMatch(/^from: /)
  expect(await refused({ search: 'x'.repeat(201) })).toMatch(/^search: /)
})
