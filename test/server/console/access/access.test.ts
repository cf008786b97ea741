import { describe, expect, onTestFinished, test } from 'vitest'
import { Refusal } from '../../../../src/server/catalog/errors.ts'
import { commandRouter } from '../../../../src/server/console/command-router.ts'
import { forPrincipal } from '../../../../src/server/console/context.ts'
import { REACH, requireReach } from '../../../../src/server/console/reach.ts'
import { consoleRouter } from '../../../../src/server/console/router.ts'
import type { CallRepeat } from '../../../../src/server/runtime/async/repeated-calls.ts'
import { DEVICE } from '../../../support/builders/devices.ts'
import { check } from '../../../support/servers/calls.ts'
import { type Caller, callerOf, SESSION } from '../../../support/servers/console.ts'
import { isOnPostgres } from '../../../support/servers/engine.ts'
import { type Case, type Outcome, PROCEDURES } from './procedures.ts'
import {
  CALLERS,
  consoleOf,
  createWorld,
  HIDDEN,
  PERSON,
  principalOf,
  type World,
} from './world.ts'

const CASES = Object.entries(PROCEDURES)
  .flatMap(([path, cases]) => [cases].flat().map((each: Case) => ({ path, ...each })))
  .filter(({ path }) => !isOnPostgres || !path.startsWith('backups.'))

test('every procedure of the console is in the table', () => {
  const paths = Object.keys(consoleRouter._def.procedures)
  expect(Object.keys(PROCEDURES).toSorted()).toEqual(paths.toSorted())
})

test('every procedure is open to tokens, needs a confirmation, or is for the console', () => {
  const paths = Object.keys(consoleRouter._def.procedures)
  expect([...REACH.keys()].toSorted()).toEqual(paths.toSorted())
})

test('what is open to tokens is in the router of the command line, and nothing about people or backups is', () => {
  const commands = Object.keys(commandRouter._def.procedures)
  const open = [...REACH].flatMap(([path, reach]) => (reach === 'open_to_tokens' ? [path] : []))
  expect(commands.filter((path) => !path.startsWith('people.')).toSorted()).toEqual(open.toSorted())
  expect(open.filter((path) => /^(?:people|backups)\./.test(path))).toEqual([])
})

test('a procedure that is in no class needs a confirmation, and no token reaches it', async () => {
  const session = {
    ...({ id: 'one', kind: 'browser', managesPeople: false } as const),
    requireConfirmed: () =>
      Promise.reject(new Refusal({ code: 'confirmation_needed', methods: [] })),
    confirm: async () => {},
  }
  await expect(requireReach('new.one', session)).rejects.toMatchObject({
    facts: { code: 'confirmation_needed' },
  })
  const token = { ...session, kind: 'command_line' } as const
  await expect(requireReach('new.one', token)).rejects.toMatchObject({
    facts: { code: 'not_granted' },
  })
  await expect(requireReach('new.one', null)).resolves.toBeUndefined()
})

/** What became of a call: an answer is `everything` if it has what is hidden, else `filtered`. */
async function outcomeOf(call: () => Promise<unknown>): Promise<{ got: Outcome; shown: string }> {
  try {
    const shown = JSON.stringify((await call()) ?? null)
    return { got: shown.includes(HIDDEN) ? 'everything' : 'filtered', shown }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Refusal ? error.cause : error
    if (!(cause instanceof Refusal)) throw error
    if (cause.kind !== 'forbidden' && cause.kind !== 'unknown') throw error
    return { got: cause.kind, shown: JSON.stringify(cause.facts) }
  }
}

describe.each(CALLERS)('%s', (name) => {
  test('gets of every procedure what the table says', async () => {
    const world = await createWorld()
    // What is counted once for all callers is counted for someone who sees everything.
    await callerOf(world.server).audit.list({})
    const console = consoleOf(world, name)
    for (const { path, outcomes, call } of CASES) {
      const expected = outcomes[name] === 'allowed' ? 'filtered' : outcomes[name]
      const { got, shown } = await outcomeOf(() => call(console, world.seen, world))
      expect.soft(got, `${path}: ${shown}`).toBe(expected)
    }
  })
})

test('every change that is repeated under its name is carried out once, and answers the same', async () => {
  const world = await createWorld()
  const everyone = callerOf(world.server)
  const outcomes = async (call: () => Promise<unknown>) => {
    const { got, shown } = await outcomeOf(call)
    return { got, shown, entries: (await everyone.audit.list({})).total }
  }
  const repeated: string[] = []
  for (const { path, call } of CASES) {
    const { type } = Reflect.get(consoleRouter._def.procedures, path)._def
    if (type !== 'mutation') continue
    const twice = onCall(everyone, path, async (input) => {
      const key = `${repeated.push(path)}`
      const attempt = (age?: number) =>
        outcomes(() => procedureOf(namedCaller(world, { key, age }), path)(input))
      const first = await attempt()
      expect.soft({ path, ...(await attempt(1)) }).toEqual({ path, ...first })
    })
    await call(twice, world.seen, world)
  }
  expect(new Set(repeated).size).toBeGreaterThan(50)
})

/** Returns what an administrator calls whose page names its changes. */
function namedCaller(world: World, repeat: CallRepeat): Caller {
  const principal = principalOf(world, 'server administrator')
  const context = forPrincipal(world.server.consoleContext, principal, SESSION, repeat)
  return consoleRouter.createCaller(context)
}

/** Returns a caller whose procedure of that path is `call`. */
function onCall(caller: Caller, path: string, call: (input: unknown) => Promise<void>): Caller {
  const [noun = '', name] = path.split('.')
  const procedures = new Proxy(Reflect.get(caller, noun), {
    get: (of, key) => (key === name ? call : Reflect.get(of, key)),
  })
  return Object.create(caller, { [noun]: { value: procedures } })
}

function procedureOf(caller: Caller, path: string): (input: unknown) => Promise<unknown> {
  const [noun = '', name = ''] = path.split('.')
  return Reflect.get(Reflect.get(caller, noun), name)
}

test.each(['app viewer', 'app release_manager', 'app administrator'] as const)(
  'another app is unknown to: %s',
  async (name) => {
    const world = await createWorld()
    const console = consoleOf(world, name)
    for (const { path, call } of CASES.filter(({ namesApp }) => namesApp)) {
      const { got, shown } = await outcomeOf(() => call(console, world.hidden, world))
      expect.soft(got, `${path}: ${shown}`).toBe('unknown')
    }
    expect(JSON.stringify(await console.releases.list({ channel: 'stable' }))).not.toContain(HIDDEN)
  },
)

test('a refusal names the role that is needed, and where', async () => {
  const world = await createWorld()
  const console = consoleOf(world, 'app viewer')
  const factsOf = async (call: Promise<unknown>) =>
    await call.catch((error) => error.cause?.facts ?? error)
  expect(await factsOf(console.apps.rename({ ref: 'editor', name: 'Mine' }))).toEqual({
    ...{ code: 'forbidden', needs: 'administrator', app: 'editor' },
  })
  expect(await factsOf(console.apps.create({ ref: 'new', name: 'New' }))).toEqual({
    ...{ code: 'forbidden', needs: 'administrator', app: null },
  })
})

test('entries about people are for administrators of the server', async () => {
  const world = await createWorld()
  const logOf = async (name: (typeof CALLERS)[number]) =>
    JSON.stringify(await consoleOf(world, name).audit.list({}))
  expect(await logOf('server administrator')).toContain(PERSON)
  expect(await logOf('server release_manager')).not.toContain(PERSON)
  expect(await logOf('server viewer')).not.toContain(PERSON)
})

test('the number of entries is that of the entries that the caller sees', async () => {
  const world = await createWorld()
  for (const name of ['server administrator', 'server viewer', 'app viewer'] as const) {
    const { entries, total } = await consoleOf(world, name).audit.list({ perPage: 100 })
    expect(total, name).toBe(entries.length)
    expect(total, name).toBeGreaterThan(0)
  }
})

test('the state of the server is for those who have a role on it', async () => {
  const world = await createWorld()
  expect((await consoleOf(world, 'server viewer').overview.get()).telemetry).not.toBeNull()
  const { telemetry, budgets, attention } = await consoleOf(world, 'app viewer').overview.get()
  expect({ telemetry, budgets }).toEqual({ telemetry: null, budgets: [] })
  expect(attention.moreSilent + attention.moreWithdrawn).toBe(0)
})

test('the live feed has check-ins of the app alone', async () => {
  const world = await createWorld()
  const feed = (await consoleOf(world, 'app viewer').fleet.live({ app: 'editor' }))[
    Symbol.asyncIterator
  ]()
  onTestFinished(async () => {
    await feed.return?.()
  })
  await feed.next()
  await world.server.call('GET', `/u/${HIDDEN}/stable/darwin/aarch64/1.0.0`, { key: null })
  await check(world.server, '1.0.0')
  expect((await feed.next()).value).toMatchObject({
    ...{ checkIns: [{ deviceId: DEVICE }], leftOut: 0 },
  })
})

test('the page hears which roles it has', async () => {
  const world = await createWorld()
  expect((await consoleOf(world, 'app release_manager').session.me()).access).toEqual({
    server: null,
    apps: [
      { app: 'editor', role: 'release_manager' },
      { app: 'editor-doomed', role: 'release_manager' },
    ],
  })
  expect(await callerOf(world.server).session.me()).toMatchObject({
    kind: 'console',
    access: { server: 'administrator', apps: [] },
  })
})
