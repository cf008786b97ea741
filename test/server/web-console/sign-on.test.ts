import { expect, test } from 'vitest'
import { ROOT } from '../../support/builders/people.ts'
import { freePort } from '../../support/processes/ports.ts'
import {
  call,
  cookieOf,
  PASSWORD,
  pageHeaders,
  send,
  signUp,
  startBrowserConsole,
} from '../../support/servers/browser.ts'
import {
  type ProviderTraffic,
  signInAtProvider,
  startProvider,
} from '../../support/servers/identity-provider.ts'
import { browserWith, firstAdministrator, stranger } from '../../support/servers/signed-in.ts'

/** A server whose console is registered at a real provider, with the first account. */
async function startRegistered(config: Parameters<typeof startBrowserConsole>[0] = {}) {
  const port = await freePort()
  const page = `http://127.0.0.1:${port}/console/`
  const traffic: ProviderTraffic = { asked: [], isFailing: false }
  const provider = await startProvider(`${page}sign-on`, traffic)
  const server = await startBrowserConsole({ ...config, port, provider })
  return { server, page, traffic, ada: browserWith(server, await signUp(server)) }
}

/** The query of who comes back with a code that no provider has issued, for the round trip to `url`. */
function forgedReturn(url: string, code: string): URLSearchParams {
  const { origin, searchParams } = new URL(url)
  return new URLSearchParams({ code, state: searchParams.get('state') ?? '', iss: origin })
}

/** Goes to the provider and back. Returns the answer to the browser that comes back. */
async function roundTrip(address: string, input: object, login: string) {
  const begun = await call(address, 'account/signOn', input)
  const { url } = JSON.parse(begun.text).result.data
  const query = await signInAtProvider(url, login)
  const back = (cookie: string) =>
    send(address, `/console/sign-on?${query}`, { headers: { cookie } })
  return { back, cookie: cookieOf(begun) }
}

test('an invited person signs in at the provider, from then on without the link', async () => {
  const { server, page } = await startRegistered()
  const { address, people } = server
  const access = { server: 'viewer', apps: new Map() } as const
  const { token } = await people.invite(ROOT, { name: 'Noah', access })
  for (const link of [token, undefined]) {
    const { back, cookie } = await roundTrip(address, { page, link }, 'n-1')
    const answer = await back(cookie)
    expect([answer.status, answer.headers.location]).toEqual([303, './'])
    const [, session = ''] = answer.headers['set-cookie'] ?? []
    const headers = pageHeaders(address, session.split(';')[0])
    const state = await call(address, 'account/state', undefined, headers)
    expect(JSON.parse(state.text).result.data).toMatchObject({
      signedInAs: 'Noah',
      singleSignOn: '127.0.0.1',
    })
  }
})

test('who comes back in another browser, or a second time, is not signed in', async () => {
  const { server, page } = await startRegistered()
  const access = { server: 'viewer', apps: new Map() } as const
  const { token } = await server.people.invite(ROOT, { name: 'Noah', access })
  const { back, cookie } = await roundTrip(server.address, { page, link: token }, 'n-1')
  for (const carried of ['', 'tidegate-sign-on=stolen']) {
    const answer = await back(carried)
    expect(answer.headers.location).toContain('sign_in_expired')
    expect(String(answer.headers['set-cookie'])).not.toContain('tidegate-session')
  }
  expect((await back(cookie)).headers.location).toBe('./')
  expect((await back(cookie)).headers.location).toContain('sign_in_expired')
})

test('a round trip calls the provider once, however often and with whatever code somebody comes back', async () => {
  const { server, page, traffic } = await startRegistered()
  const { address } = server
  const begun = await call(address, 'account/signOn', { page })
  const { url } = JSON.parse(begun.text).result.data
  const back = async (code: string) => {
    const path = `/console/sign-on?${forgedReturn(url, code)}`
    const { headers } = await send(address, path, { headers: { cookie: cookieOf(begun) } })
    return /code%22%3A%22(\w+)%22/.exec(String(headers.location))?.[1]
  }
  const reasons = await Promise.all(Array.from({ length: 30 }, (_, n) => back(`forged-${n}`)))
  expect(traffic.asked.filter((path) => path === '/token')).toHaveLength(1)
  expect(reasons.filter((reason) => reason === 'single_sign_on_failed')).toHaveLength(1)
  expect(reasons.filter((reason) => reason === 'sign_in_expired')).toHaveLength(29)
})

test('who comes back from the provider is limited as strangers are', async () => {
  const { server } = await startRegistered({ limits: { device: 5 } })
  const back = () => send(server.address, '/console/sign-on?code=1&state=1')
  const answers = await Promise.all(Array.from({ length: 10 }, back))
  const [refused] = answers.filter(({ status }) => status === 429)
  expect(refused?.headers['retry-after']).toMatch(/^\d+$/)
  expect(refused?.text).toContain('too many sign-ins from your network')
})

test('a provider that fails is left alone for a while, and whoever signs in reads why', async () => {
  const { server, page, traffic } = await startRegistered()
  traffic.isFailing = true
  const begin = () => stranger(server, 'account/signOn', { page })
  for (let time = 0; time < 5; time += 1) {
    const { status, refusal } = await begin()
    expect([status, refusal.code]).toEqual([503, 'provider_unavailable'])
    expect(refusal.retrySeconds).toBeGreaterThan(0)
  }
  expect(traffic.asked).toHaveLength(1)
})

test('an identity that nobody linked is refused with the reason', async () => {
  const { server, page } = await startRegistered()
  const { back, cookie } = await roundTrip(server.address, { page }, 'stranger')
  expect((await back(cookie)).headers.location).toContain('identity_unknown')
})

test('the provider sends nobody to the page of another origin', async () => {
  const { server } = await startRegistered()
  const { status, text } = await call(server.address, 'account/signOn', {
    page: 'https://evil.example/console/',
  })
  expect([status, text.includes('evil.example')]).toEqual([400, false])
})

test('people link their own account, confirmed by the password, and unlink it', async () => {
  const { server, page, ada } = await startRegistered()
  const { address } = server
  const headers = pageHeaders(address, ada.cookie)
  const begin = (password: string, from = page) =>
    call(address, 'account/own.linkIdentity', { page: from, password }, headers)
  expect((await begin('wrong')).text).toContain('current_password_wrong')
  expect((await begin(PASSWORD, 'https://evil.example/console/')).status).toBe(400)
  const { call: anybody } = browserWith(server, '')
  const strangers = await anybody('account/own.linkIdentity', { page, password: PASSWORD })
  expect(strangers.refusal).toEqual({ code: 'sign_in_needed' })

  const begun = await begin(PASSWORD)
  const query = await signInAtProvider(JSON.parse(begun.text).result.data.url, 'a-1')
  const answer = await send(address, `/console/sign-on?${query}`, {
    headers: { cookie: cookieOf(begun) },
  })
  expect([answer.status, answer.headers.location]).toEqual([303, './#/account'])
  expect(String(answer.headers['set-cookie'])).not.toContain('tidegate-session')
  const { identities } = (await ada.call('account/own.get')).data
  expect(identities).toMatchObject([{ subject: 'a-1' }])
  const later = await roundTrip(address, { page }, 'a-1')
  expect((await later.back(later.cookie)).headers.location).toBe('./')

  const unlink = (password: string) =>
    ada.call('account/own.unlinkIdentity', { identity: identities[0], password })
  expect((await unlink('wrong')).refusal).toMatchObject({ code: 'current_password_wrong' })
  expect((await unlink(PASSWORD)).status).toBe(200)
  expect((await ada.call('account/own.get')).data.identities).toEqual([])
})

test('a server without a provider has no sign-on', async () => {
  const server = await startBrowserConsole()
  const { address } = server
  expect((await send(address, '/console/sign-on?code=1&state=1')).status).toBe(404)
  const ada = await firstAdministrator(server)
  const page = `${address}/console/`
  const begun = await ada.call('account/own.linkIdentity', { page, password: PASSWORD })
  expect(begun.refusal).toEqual({ code: 'single_sign_on_failed' })
})
