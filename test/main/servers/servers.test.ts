import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { expect, onTestFinished, test } from 'vitest'
import type { SubscriptionEvent } from '../../../src/shared/console/bridge/bridge.ts'
import { answerCall, follow } from '../../../src/shared/console/bridge/procedures.ts'
import type { ServersView } from '../../../src/shared/console/desktop/remote-servers.ts'
import type { ServerReach } from '../../../src/shared/console/desktop/shell.ts'
import { PRINCIPAL } from '../../support/builders/actor.ts'
import { temporaryFolder } from '../../support/builders/folders.ts'
import { access, ROOT } from '../../support/builders/people.ts'
import { eventually } from '../../support/eventually.ts'
import { freePort } from '../../support/processes/ports.ts'
import { PASSWORD, signUp, startBrowserConsole } from '../../support/servers/browser.ts'
import { OtherServers } from '../../support/servers/others.ts'
import type { TestServer } from '../../support/servers/server.ts'
import { testServers } from '../../support/servers/test-servers.ts'

/** Another computer's console: one for its own computer only asks for a code, which a browser shows. */
const IN_NETWORK = { console: { mode: 'lan', plainHttp: true } } as const
const NEW = { name: 'Studio', color: 'blue', pin: null, allowPlainHttp: false } as const

/** The servers of an app whose own server runs, with what its page would see. */
function desktop(file = join(temporaryFolder(), 'servers.json')) {
  const reloads: (string | null)[] = []
  const own = {
    state: () => ({ state: 'running', address: 'http://127.0.0.1:1' }) as const,
    retry() {},
  }
  const parts = testServers({
    own,
    reloadPage: () => reloads.push(parts.list.current?.id ?? null),
    file,
  })
  onTestFinished(() => parts.servers.stop())
  const views: ServersView[] = []
  const states: ServerReach[] = []
  const ended = new AbortController()
  onTestFinished(() => ended.abort())
  void collect(parts.servers.followView(ended.signal), views)
  void collect(parts.servers.followState(ended.signal), states)
  return { ...parts, reloads, views, states }
}

async function collect<Value>(values: AsyncIterable<Value>, into: Value[]): Promise<void> {
  for await (const value of values) into.push(value)
}

/** Adds a server and returns its id. */
async function added({ servers }: ReturnType<typeof desktop>, address: string): Promise<string> {
  const outcome = await servers.add({ ...NEW, address })
  if (outcome.outcome !== 'added') throw new Error(JSON.stringify(outcome))
  return outcome.id
}

/** A server with one account, and an app that is signed in to it. */
async function signedIn(
  ...[config = IN_NETWORK, ...parts]: Parameters<typeof startBrowserConsole>
) {
  const server = await startBrowserConsole(config, ...parts)
  await signUp(server)
  const app = desktop()
  const id = await added(app, server.address)
  await app.servers.signIn(id, 'Ada', PASSWORD)
  return { server, app, id }
}

/** The same, and its page shows that server. */
async function inUse(...started: Parameters<typeof startBrowserConsole>) {
  const opened = await signedIn(...started)
  opened.app.servers.use(opened.id)
  await eventually(() => expect(opened.app.servers.state).toMatchObject({ state: 'running' }))
  return opened
}

const query = (path: string) => ({ type: 'query', path, input: undefined }) as const

test('the page of another server gets its answers and what it reports', async () => {
  const server = await startBrowserConsole(IN_NETWORK)
  await signUp(server)
  const app = desktop()
  const id = await added(app, server.address)
  expect(app.servers.procedures()).toBeUndefined()
  expect(await app.servers.signIn(id, 'Ada', PASSWORD)).toEqual({ outcome: 'signed_in' })
  app.servers.use(id)
  expect(app.reloads).toEqual([id])
  await eventually(() => expect(app.servers.state).toMatchObject({ state: 'running' }))

  const procedures = app.servers.procedures()
  if (procedures === undefined) throw new Error('no remote server is in use')
  await server.updates.createApp(PRINCIPAL, { ref: 'editor' })
  const answers = await Promise.all([
    answerCall(procedures, query('apps.list')),
    answerCall(procedures, query('session.me')),
  ])
  expect(answers).toMatchObject([{ ok: true }, { ok: true, data: { name: 'Ada' } }])
  expect(JSON.stringify(answers[0])).toContain('editor')

  const events: unknown[] = []
  const ended = new AbortController()
  const following = follow(
    procedures,
    { path: 'events.changes', input: undefined },
    ended.signal,
    (event) => events.push(event),
  )
  await eventually(() => expect(events).toHaveLength(1))
  await server.updates.createApp(PRINCIPAL, { ref: 'viewer' })
  await eventually(() =>
    expect(events.at(-1)).toMatchObject({ type: 'data', data: { changed: ['catalog'] } }),
  )
  ended.abort()
  await following

  app.servers.use(null)
  expect(app.servers.procedures()).toBeUndefined()
  expect(app.servers.state).toMatchObject({ state: 'running', address: 'http://127.0.0.1:1' })
})

test('a console for its own computer only is signed in to with its code, and again without it', async () => {
  const server = await startBrowserConsole()
  await signUp(server)
  const app = desktop()
  const id = await added(app, server.address)
  const code = server.consoleCode ?? ''
  const signIn = (...given: string[]) => app.servers.signIn(id, 'Ada', PASSWORD, ...given)
  expect(await signIn()).toEqual({ outcome: 'code_needed' })
  expect(await signIn(code.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')))).toEqual({
    outcome: 'code_needed',
  })
  expect(await signIn('a code; from „elsewhere“\n')).toEqual({ outcome: 'code_needed' })
  expect(await signIn(code)).toEqual({ outcome: 'signed_in' })
  await app.servers.signOut(id)
  expect(await signIn()).toEqual({ outcome: 'signed_in' })
})

test('what the server refuses, the page hears as from its own', async () => {
  const server = await startBrowserConsole(IN_NETWORK)
  await signUp(server)
  const app = desktop()
  const id = await added(app, server.address)
  await expect(app.servers.signIn(id, 'Ada', 'wrong')).rejects.toMatchObject({
    error: { refusal: { code: 'sign_in_failed' } },
  })
  await app.servers.signIn(id, 'Ada', PASSWORD)
  app.servers.use(id)
  const procedures = app.servers.procedures()
  if (procedures === undefined) throw new Error('no remote server is in use')
  const call = (path: string, input: unknown) =>
    answerCall(procedures, { type: 'mutation', path, input })
  expect(await call('apps.create', { ref: 'Not A Ref', name: 'x' })).toMatchObject({
    error: { code: 'invalid', refusal: { code: 'invalid_input', path: ['ref'] } },
  })
  expect(await call('no.such', {})).toMatchObject({
    error: { code: 'unknown', reason: 'unknown_procedure' },
  })
})

test('a session that has ended elsewhere asks for a sign-in, and a new one goes on', async () => {
  const { server, app, id } = await inUse()
  const [ada] = server.people.list()
  if (ada === undefined) throw new Error('there is no account')
  for (const session of server.people.sessionsOf(ada.id)) {
    await server.people.endSession({ actor: PRINCIPAL.actor, accountId: null }, session.id)
  }
  await eventually(() => expect(app.servers.state).toEqual({ state: 'signed_out' }))
  expect(app.views.at(-1)?.servers[0]?.signedInAs).toBeNull()
  expect(app.list.find(id)?.session).toBeNull()
  const procedures = app.servers.procedures()
  expect(procedures && (await answerCall(procedures, query('apps.list')))).toMatchObject({
    error: { refusal: { code: 'sign_in_needed' } },
  })
  await app.servers.signIn(id, 'Ada', PASSWORD)
  await eventually(() => expect(app.servers.state).toMatchObject({ state: 'running' }))
})

test('a server that goes and comes back is connected to again', async () => {
  const folder = temporaryFolder()
  const port = await freePort()
  const { server, app } = await inUse({ ...IN_NETWORK, dataFolder: folder, port })
  await server.stop()
  await eventually(() => expect(app.servers.state).toMatchObject({ state: 'unreachable' }))
  const procedures = app.servers.procedures()
  expect(procedures && (await answerCall(procedures, query('apps.list')))).toEqual({
    ok: false,
    error: { code: 'unavailable', reason: 'server_not_answering' },
  })
  await startBrowserConsole({ ...IN_NETWORK, dataFolder: folder, port })
  await eventually(() => expect(app.servers.state).toMatchObject({ state: 'running' }))
})

test('a server that has lost contact with its database is said to have, also if it had before', async () => {
  const others = new OtherServers()
  const { app, id } = await inUse(IN_NETWORK, others.parts)
  const outOfContact = { state: 'unreachable', outOfContact: true }
  others.lose()
  await eventually(() => expect(app.servers.state).toMatchObject(outOfContact))
  others.regain()
  app.servers.retry()
  await eventually(() => expect(app.servers.state).toMatchObject({ state: 'running' }))
  expect(app.states.at(-1)).not.toHaveProperty('outOfContact')

  app.servers.use(null)
  others.lose()
  app.servers.use(id)
  await eventually(() => expect(app.servers.state).toMatchObject({ state: 'unreachable' }))
  expect(app.servers.state).not.toHaveProperty('outOfContact')
  const procedures = app.servers.procedures()
  expect(procedures && (await answerCall(procedures, query('apps.list')))).toEqual({
    ok: false,
    error: { code: 'unavailable', reason: 'out_of_contact' },
  })
  expect(app.servers.state).toMatchObject(outOfContact)
})

test('the app connects again quietly when the roles of its account have changed', async () => {
  const server = await startBrowserConsole(IN_NETWORK)
  await signUp(server)
  const { people } = server
  const { token } = await people.invite(ROOT, { name: 'Noah', access: access('viewer') })
  await people.acceptLink(
    token,
    { password: PASSWORD },
    { address: '127.0.0.1', userAgent: 'test' },
  )
  const app = desktop()
  const id = await added(app, server.address)
  await app.servers.signIn(id, 'Noah', PASSWORD)
  app.servers.use(id)
  await eventually(() => expect(app.servers.state).toMatchObject({ state: 'running' }))
  const procedures = app.servers.procedures()
  if (procedures === undefined) throw new Error('no remote server is in use')
  const subscribed = async () => {
    const events: SubscriptionEvent[] = []
    const ended = new AbortController()
    onTestFinished(() => ended.abort())
    const request = { path: 'events.changes', input: undefined }
    const end = follow(procedures, request, ended.signal, (event) => events.push(event))
    await eventually(() => expect(events).not.toEqual([]))
    return { end, events }
  }
  const before = await subscribed()
  expect(before.events).toMatchObject([{ type: 'data' }])
  app.states.length = 0
  const noah = people.list().find(({ name }) => name === 'Noah')
  await people.setAccess(ROOT, noah?.id ?? '', access('release_manager'))
  await before.end
  await eventually(async () =>
    expect((await subscribed()).events).toMatchObject([{ type: 'data' }]),
  )
  expect(await answerCall(procedures, query('session.me'))).toMatchObject({
    data: { access: { server: 'release_manager' } },
  })
  expect(app.states.filter(({ state }) => state !== 'running')).toEqual([])
})

test('the app starts on the server that was in use, still signed in', async () => {
  const { app, id } = await signedIn()
  app.servers.use(id)
  app.servers.stop()
  const next = desktop(app.file)
  await next.servers.start()
  await eventually(() => expect(next.servers.state).toMatchObject({ state: 'running' }))
  expect(next.views.at(-1)).toMatchObject({ current: id, servers: [{ signedInAs: 'Ada' }] })
})

test('a removed server is forgotten, and its session ends', async () => {
  const { server, app, id } = await signedIn()
  app.servers.use(id)
  const [ada] = server.people.list()
  const sessions = () => server.people.sessionsOf(ada?.id ?? '').length
  expect(sessions()).toBe(2)
  app.servers.remove(id)
  expect(app.reloads).toEqual([id, null])
  expect(app.servers.procedures()).toBeUndefined()
  await eventually(() => expect(app.views.at(-1)).toEqual({ current: null, servers: [] }))
  await eventually(() => expect(sessions()).toBe(1))
})

test('an address is added once, and only if it is one of a server with accounts', async () => {
  const server = await startBrowserConsole(IN_NETWORK)
  const app = desktop()
  expect(await app.servers.add({ ...NEW, address: server.address })).toMatchObject({
    outcome: 'failed',
    failure: { reason: 'not_set_up' },
  })
  await signUp(server)
  await added(app, server.address)
  const again = { ...NEW, address: `${server.address}/console/#/keys` }
  expect(await app.servers.add(again)).toEqual({ outcome: 'already_added' })
  expect(await app.servers.add({ ...NEW, address: 'ftp://x' })).toEqual({
    outcome: 'invalid_address',
  })
  expect(await app.servers.add({ ...NEW, address: 'http://192.0.2.1:8440' })).toEqual({
    outcome: 'plain_http',
  })
})

test('a server without a console is told apart', async () => {
  const server = await startBrowserConsole({ console: { mode: 'off', pageFolder: '/none' } })
  expect(await desktop().servers.add({ ...NEW, address: server.address })).toMatchObject({
    outcome: 'failed',
    failure: { reason: 'no_console' },
  })
})

test('a second factor is asked for, and a code of the app or a recovery code is enough', async () => {
  const server = await startBrowserConsole(IN_NETWORK)
  await signUp(server)
  const recoveryCodes = await turnOnTotp(server)
  const app = desktop()
  const id = await added(app, server.address)
  const step = await app.servers.signIn(id, 'Ada', PASSWORD)
  expect(step).toMatchObject({ outcome: 'second_factor', methods: ['totp', 'recovery_code'] })
  if (step.outcome !== 'second_factor') throw new Error('no second factor was asked for')
  const complete = (recoveryCode: string) =>
    app.servers.completeSignIn(id, 'Ada', step.challenge, { recoveryCode })
  await expect(complete('wrong')).rejects.toMatchObject({
    error: { refusal: { code: 'second_factor_wrong' } },
  })
  expect(await complete(recoveryCodes[0] ?? '')).toEqual({ outcome: 'signed_in' })
  await eventually(() => expect(app.views.at(-1)?.servers[0]?.signedInAs).toBe('Ada'))
})

/** Turns on an authenticator app for the one account; returns its recovery codes. */
async function turnOnTotp({ people }: TestServer): Promise<readonly string[]> {
  const [ada] = people.list()
  const [session] = ada === undefined ? [] : people.sessionsOf(ada.id)
  if (session === undefined) throw new Error('nobody is signed in')
  const { enrolment, secret } = people.own.beginTotp(session)
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  const { recoveryCodes } = await people.own.confirmTotp(
    session,
    { enrolment, code, password: PASSWORD },
    { address: '127.0.0.1', userAgent: 'test' },
  )
  return recoveryCodes
}
