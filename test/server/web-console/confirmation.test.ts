import { expect, test } from 'vitest'
import { REACH } from '../../../src/server/console/reach.ts'
import { OTHER_PASSWORD, ROOT } from '../../support/builders/people.ts'
import { freePort } from '../../support/processes/ports.ts'
import {
  call,
  cookieOf,
  PASSWORD,
  pageHeaders,
  send,
  startBrowserConsole,
} from '../../support/servers/browser.ts'

import { commandLineToken } from '../../support/servers/command-line.ts'
import { signInAtProvider, startProvider } from '../../support/servers/identity-provider.ts'
import type { TestServer } from '../../support/servers/server.ts'
import { browserWith, firstAdministrator, stranger } from '../../support/servers/signed-in.ts'

const ADMINISTRATOR = { server: 'administrator', apps: [] }
const MINUTE = 60_000

/** Starts a console on a clock that the test moves. */
async function startOnClock(config: Parameters<typeof startBrowserConsole>[0] = {}) {
  let now = Date.now()
  const server = await startBrowserConsole(config, { clock: () => now })
  const pass = (minutes: number) => {
    now += minutes * MINUTE
  }
  return { server, pass }
}

async function asCommandLine({ address }: TestServer, token: string, path: string, input: unknown) {
  const { status, text } = await send(address, `/console/command-line/api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(input),
  })
  const { result, error } = JSON.parse(text)
  return { status, data: result?.data, refusal: error?.data.callError.refusal }
}

function sessionOf({ people }: TestServer, cookie: string) {
  const session = people.find(cookie.split('=')[1] ?? '')
  if (session === undefined) throw new Error('no session')
  return session
}

test('a stolen token of the command line invites nobody', async () => {
  const server = await startBrowserConsole()
  const ada = await firstAdministrator(server)
  const token = await commandLineToken(server.people, sessionOf(server, ada.cookie))
  const mallory = { name: 'Mallory', access: ADMINISTRATOR }
  const { status } = await asCommandLine(server, token, 'people.invite', mallory)
  expect(status).toBe(403)
  expect(server.people.list().map(({ name }) => name)).toEqual(['Ada'])
})

test('a stolen cookie resets no password by a link, not even soon after a sign-in', async () => {
  const server = await startBrowserConsole()
  const ada = await firstAdministrator(server)
  const { id } = sessionOf(server, ada.cookie).account
  const { status } = await ada.call('api/people.createLink', { id })
  expect(status).toBe(422)
  expect(server.people.openLinkOf(id)).toBeUndefined()
})

test('a stolen cookie sets no password of an account that has none', async () => {
  const port = await freePort()
  const page = `http://127.0.0.1:${port}/console/`
  const provider = await startProvider(`${page}sign-on`)
  const { server } = await startOnClock({ port, provider })
  await firstAdministrator(server)
  const access = { server: 'administrator', apps: new Map() } as const
  const { token } = await server.people.invite(ROOT, { name: 'Noah', access })
  const begun = await call(server.address, 'account/signOn', { page, link: token })
  const query = await signInAtProvider(JSON.parse(begun.text).result.data.url, 'n-1')
  const back = await send(server.address, `/console/sign-on?${query}`, {
    headers: { cookie: cookieOf(begun) },
  })
  const [, cookie = ''] = back.headers['set-cookie'] ?? []
  const noah = browserWith(server, cookie.split(';')[0] ?? '')
  const { status } = await noah.call('account/own.changePassword', {
    current: '',
    next: OTHER_PASSWORD,
  })
  expect(status).toBe(403)
  const linked = await noah.call('account/own.linkIdentity', { page, password: '' })
  expect(linked.refusal).toEqual({ code: 'confirmation_needed', methods: ['single_sign_on'] })
  expect((await noah.call('account/own.get')).data.hasPassword).toBe(false)

  const confirming = await call(
    server.address,
    'account/own.confirmAtProvider',
    { page },
    pageHeaders(server.address, noah.cookie),
  )
  const answer = await signInAtProvider(JSON.parse(confirming.text).result.data.url, 'n-1')
  const headers = { cookie: cookieOf(confirming) }
  const confirmed = await send(server.address, `/console/sign-on?${answer}`, { headers })
  expect([confirmed.status, confirmed.text]).toEqual([
    200,
    expect.stringContaining('Close this tab'),
  ])
  expect((await noah.call('account/own.confirmed')).data).toBe(true)
  const set = await noah.call('account/own.changePassword', { current: '', next: OTHER_PASSWORD })
  expect(set.status).toBe(200)
})

test('a stolen cookie reaches nothing that needs a confirmation, which the password gives for ten minutes', async () => {
  const { server, pass } = await startOnClock()
  const ada = await firstAdministrator(server)
  const refused = { code: 'confirmation_needed', methods: ['password'] }
  const invite = () => ada.call('api/people.invite', { name: 'Mia', access: ADMINISTRATOR })
  const bypass = { app: null, name: 'ci', scopes: ['publish'], bypassApproval: true }
  pass(10)
  for (const [path, reach] of REACH) {
    if (reach !== 'confirmed') continue
    expect([path, (await ada.call(`api/${path}`, {})).refusal]).toEqual([path, refused])
  }
  expect((await ada.call('api/keys.mint', bypass)).refusal).toEqual(refused)
  const ordinary = { ...bypass, name: 'ordinary', bypassApproval: false }
  expect((await ada.call('api/keys.mint', ordinary)).status).toBe(200)

  const confirm = (password: string) => ada.call('api/session.confirm', { password })
  expect((await confirm('wrong')).refusal).toEqual({
    ...{ code: 'current_password_wrong', path: ['password'] },
  })
  expect((await invite()).refusal).toEqual(refused)
  expect((await confirm(PASSWORD)).status).toBe(200)
  expect((await invite()).status).toBe(200)
  expect((await ada.call('api/keys.mint', bypass)).status).toBe(200)
  pass(10)
  expect((await invite()).refusal).toEqual(refused)
})

test('guesses of the password are limited as those of a sign-in are, together with them', async () => {
  const { server, pass } = await startOnClock()
  const ada = await firstAdministrator(server)
  pass(11)
  const { call: anybody } = browserWith(server, '')
  const guess = { name: 'Ada', password: 'wrong' }
  for (let n = 0; n < 5; n += 1) {
    expect((await ada.call('api/session.confirm', { password: 'wrong' })).status).toBe(400)
    expect((await anybody('account/signIn', guess)).status).toBe(401)
  }
  const { refusal } = await ada.call('api/session.confirm', { password: PASSWORD })
  expect(refusal).toMatchObject({ code: 'too_many_attempts' })
})

test('another session of the same person is not confirmed with it', async () => {
  const { server, pass } = await startOnClock()
  const ada = await firstAdministrator(server)
  const { cookie } = await stranger(server, 'account/signIn', { name: 'Ada', password: PASSWORD })
  const other = browserWith(server, cookie ?? '')
  pass(11)
  await ada.call('api/session.confirm', { password: PASSWORD })
  const { refusal } = await other.call('api/people.invite', { name: 'Mia', access: ADMINISTRATOR })
  expect(refusal).toMatchObject({ code: 'confirmation_needed' })
})

test('a command line manages people if that was granted at its sign-in, with a confirmation', async () => {
  const { server, pass } = await startOnClock()
  const ada = await firstAdministrator(server)
  const session = sessionOf(server, ada.cookie)
  pass(11)
  const granted = () => commandLineToken(server.people, session, undefined, true)
  await expect(granted()).rejects.toMatchObject({ facts: { code: 'confirmation_needed' } })
  const plain = await commandLineToken(server.people, session)
  await ada.call('api/session.confirm', { password: PASSWORD })
  const token = await granted()
  const [latest] = (await ada.call('api/audit.list', {})).data.entries
  expect(latest).toMatchObject({ action: 'session.started', after: { managesPeople: true } })

  const mia = { name: 'Mia', access: ADMINISTRATOR }
  const bypass = { app: null, name: 'ci', scopes: ['publish'], bypassApproval: true }
  for (const [path, input] of [
    ['people.invite', mia],
    ['keys.mint', bypass],
  ] as const) {
    const refused = await asCommandLine(server, plain, path, input)
    expect([refused.status, refused.refusal]).toEqual([403, { code: 'not_granted' }])
    expect((await asCommandLine(server, `people_${plain}`, path, input)).status).toBe(401)
    expect((await asCommandLine(server, token, path, input)).status).toBe(200)
  }
})
