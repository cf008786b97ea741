import { expect, test } from 'vitest'
import { eventualValue } from '../../support/eventually.ts'
import { call, pageHeaders, send, startBrowserConsole } from '../../support/servers/browser.ts'
import type { TestServer } from '../../support/servers/server.ts'
import { firstAdministrator, type SignedInBrowser } from '../../support/servers/signed-in.ts'

/** Calls a procedure as the command line does. */
async function callAs(
  { address }: TestServer,
  procedure: string,
  input: unknown,
  headers: Readonly<Record<string, string>> = {},
) {
  const { status, text } = await send(address, `/console/command-line/${procedure}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: input === undefined ? '' : JSON.stringify(input),
  })
  const { result, error } = JSON.parse(text)
  return { status, data: result?.data, error }
}

/** Signs in with a code that a person confirms. Returns the token. */
async function tokenOf(server: TestServer, ada: SignedInBrowser): Promise<string> {
  const begun = await callAs(server, 'session/begin', { computer: 'laptop' })
  const { userCode: code, deviceCode } = begun.data
  const poll = () => callAs(server, 'session/poll', { deviceCode })
  let shown: Awaited<ReturnType<SignedInBrowser['call']>> | undefined
  void ada.call('account/own.signInCode', { code }).then((answer) => {
    shown = answer
  })
  const { data: request } = await eventualValue(async () => {
    expect((await poll()).data).toEqual({ state: 'pending' })
    return shown
  })
  expect(request).toMatchObject({ userCode: code, computer: 'laptop', address: '127.0.0.1' })
  expect(await ada.call('account/own.decideSignInCode', { code, confirmed: true })).toMatchObject({
    status: 200,
  })
  const { data } = await poll()
  expect(data).toMatchObject({ state: 'signed_in', name: 'Ada' })
  return String(data.token)
}

async function signIn(server: TestServer) {
  const ada = await firstAdministrator(server)
  const token = await tokenOf(server, ada)
  return { ada, token, bearer: { authorization: `Bearer ${token}` } }
}

test('a token works for the calls of the command line, and nowhere else', async () => {
  const server = await startBrowserConsole()
  const { token, bearer } = await signIn(server)
  expect(await callAs(server, 'api/session.me', undefined, bearer)).toMatchObject({
    data: { name: 'Ada', access: { server: 'administrator' } },
  })
  expect((await callAs(server, 'api/session.me', undefined)).status).toBe(401)
  // Of the console, only what commands use.
  expect((await callAs(server, 'api/backups.now', undefined, bearer)).status).toBe(404)

  const page = pageHeaders(server.address, `tidegate-session=${token}`)
  expect((await call(server.address, 'api/session.me', undefined, page)).status).toBe(401)
  const { cookie: _, ...withoutCookie } = page
  const asPage = { ...withoutCookie, ...bearer }
  expect((await call(server.address, 'api/session.me', undefined, asPage)).status).toBe(401)
  expect((await server.call('GET', '/api/v1/releases', { key: token })).status).toBe(401)
})

test('what a browser sends is refused, and so is the token of a browser', async () => {
  const server = await startBrowserConsole()
  const { ada, bearer } = await signIn(server)
  const origin = { origin: server.address }
  for (const sent of [origin, { origin: 'null' }, { cookie: ada.cookie }]) {
    const refused = await callAs(server, 'api/session.me', undefined, { ...bearer, ...sent })
    expect([sent, refused.status]).toEqual([sent, 403])
  }
  const stolen = { authorization: `Bearer ${ada.cookie.split('=')[1]}` }
  expect((await callAs(server, 'api/session.me', undefined, stolen)).status).toBe(401)
  const got = await send(server.address, '/console/command-line/api/session.me', {
    headers: bearer,
  })
  expect(got.status).toBe(404)
})

test('the audit log names the person, the command line and the address', async () => {
  const server = await startBrowserConsole()
  const { ada, bearer } = await signIn(server)
  await callAs(server, 'api/apps.create', { ref: 'editor', name: 'Editor' }, bearer)
  const { data } = await ada.call('api/audit.list', {})
  expect(data.entries[0]).toMatchObject({
    action: 'app.created',
    actor: { kind: 'person', name: 'Ada', address: '127.0.0.1', via: 'command_line' },
  })
})

test('a session of the command line is listed and ended like others, and ends itself', async () => {
  const server = await startBrowserConsole()
  const { ada, bearer } = await signIn(server)
  const listed = await ada.call('account/own.sessions')
  const own = listed.data.find(({ kind }: { kind: string }) => kind === 'command_line')
  expect(own).toMatchObject({ userAgent: 'laptop', isCurrent: false })
  await ada.call('account/own.endSession', { id: own.id })
  expect((await callAs(server, 'api/session.me', undefined, bearer)).status).toBe(401)

  const again = { authorization: `Bearer ${await tokenOf(server, ada)}` }
  expect((await callAs(server, 'session/end', undefined, again)).status).toBe(200)
  expect((await callAs(server, 'api/session.me', undefined, again)).status).toBe(401)
})

test('signing in is not offered where the console is not', async () => {
  const server = await startBrowserConsole({ console: { mode: 'off' } })
  const refused = await send(server.address, '/console/command-line/session/begin', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ computer: 'laptop' }),
  })
  expect(refused.status).toBe(404)
})

test('calls without a session count against the address', async () => {
  const server = await startBrowserConsole({ limits: { device: 2 } })
  const guess = {
    authorization: `Bearer ${'a'.repeat(43)}`,
    'content-type': 'application/json',
  }
  const statuses = []
  for (let count = 0; count < 3; count += 1) {
    const { status } = await send(server.address, '/console/command-line/api/session.me', {
      ...{ method: 'POST', headers: guess },
    })
    statuses.push(status)
  }
  expect(statuses).toEqual([401, 401, 429])
})

test('a computer names itself with characters that can be seen', async () => {
  const server = await startBrowserConsole()
  await firstAdministrator(server)
  const begin = (computer: string) => callAs(server, 'session/begin', { computer })
  const hidden = [
    '\u200B\u200B',
    'lap\u200Btop',
    '\u202Epotpal',
    '\u3164',
    '\u2800',
    '\u{E0041}',
    'a\u0007b',
  ]
  for (const computer of hidden) {
    const refused = await begin(computer)
    expect(refused.status, JSON.stringify(computer)).toBe(400)
    expect(refused.error.data.callError.refusal).toMatchObject({
      ...{ code: 'invalid_input', path: ['computer'], reason: expect.stringMatching(/^must/) },
    })
  }
  expect((await begin('Ada’s Laptop größer 笔记本')).status).toBe(200)
})

test('the terminal and the page show the same code and address', async () => {
  const server = await startBrowserConsole()
  const ada = await firstAdministrator(server)
  const begun = await callAs(server, 'session/begin', { computer: 'laptop' })
  const { userCode, deviceCode, address } = begun.data
  const asked = ada.call('account/own.signInCode', { code: userCode })
  let shown: Awaited<typeof asked> | undefined
  void asked.then((answer) => {
    shown = answer
  })
  const { data } = await eventualValue(async () => {
    await callAs(server, 'session/poll', { deviceCode })
    return shown
  })
  expect(data).toMatchObject({ userCode, address, isOwnAddress: true })
  expect(address).toBe('127.0.0.1')
})
