// @module-tag long

import { expect, onTestFinished, test } from 'vitest'
import { Authenticator } from '../../support/builders/authenticator.ts'
import { ROOT } from '../../support/builders/people.ts'
import { eventually } from '../../support/eventually.ts'
import {
  call,
  cookieOf,
  PASSWORD,
  pageHeaders,
  send,
  startBrowserConsole,
} from '../../support/servers/browser.ts'
import { signInAtProvider, startProvider } from '../../support/servers/identity-provider.ts'
import type { TestServer } from '../../support/servers/server.ts'

const HOST = 'updates.studio.example'
const SITE = { origin: `https://${HOST}`, rpId: HOST }

/** Calls as the proxy does for somebody at that address, in a browser with that cookie. */
function forwarded(from: string, cookie?: string): Record<string, string> {
  const own = pageHeaders(SITE.origin, cookie)
  return { ...own, host: HOST, 'x-forwarded-for': from, 'x-forwarded-proto': 'https' }
}

const signIn = (
  { address }: TestServer,
  password: string,
  from: string,
  { cookie, name = 'Ada' }: { readonly cookie?: string; readonly name?: string } = {},
) => call(address, 'account/signIn', { name, password }, forwarded(from, cookie))

/** A server behind a proxy with a provider, and the account Ada, signed in with a passkey and an identity at the provider. */
async function startProxied() {
  const provider = await startProvider(`${SITE.origin}/console/sign-on`)
  const server = await startBrowserConsole({
    ...{ trustProxy: ['loopback'], console: { names: [HOST] }, provider },
  })
  const { address } = server
  const { token } = await server.people.createSetupLink()
  const own = (cookie?: string) => forwarded('198.51.100.1', cookie)
  const accepted = { token, name: 'Ada', password: PASSWORD }
  const begun = await call(address, 'account/acceptLink', accepted, own())
  const cookies = (begun.headers['set-cookie'] as string[]).map((each) => each.split(';')[0] ?? '')
  const session = cookies.find((each) => each.includes('session')) ?? ''
  const data = async (procedure: string, input?: object) => {
    const { text } = await call(address, `account/${procedure}`, input, own(session))
    return JSON.parse(text).result.data
  }

  const device = new Authenticator()
  const { ceremony, options } = await data('own.beginPasskey')
  const response = device.register({ ...SITE, ...options })
  await data('own.addPasskey', { ceremony, response, name: 'Phone', password: PASSWORD })
  const page = `${SITE.origin}/console/`
  const linking = await call(
    address,
    'account/own.linkIdentity',
    { page, password: PASSWORD },
    own(session),
  )
  await comeBack(server, linking, '198.51.100.1')
  return { server, device, page, browser: cookies.join('; ') }
}

/** Goes to the provider and back, from the answer that sends a browser there. */
async function comeBack(
  { address }: TestServer,
  begun: Awaited<ReturnType<typeof call>>,
  from: string,
) {
  const query = await signInAtProvider(JSON.parse(begun.text).result.data.url, 'a-1')
  const headers = forwarded(from, cookieOf(begun))
  return await send(address, `/console/sign-on?${query}`, { headers })
}

/** Attempts without end, each time from another IPv6 network. Returns what they were answered so far. */
function flood<Answer>(
  attempt: (from: string, n: number) => Promise<Answer>,
  lanes: number,
): readonly Answer[] {
  const answers: Answer[] = []
  const ended = { is: false }
  const lane = async (first: number) => {
    for (let n = first; !ended.is; n += lanes) {
      const from = `2001:db8:${(n % 0xff_ff).toString(16)}:${(n % 251).toString(16)}::1`
      answers.push(await attempt(from, n))
    }
  }
  const all = Promise.all(Array.from({ length: lanes }, (_, n) => lane(n)))
  onTestFinished(async () => {
    ended.is = true
    await all
  })
  return answers
}

test('a flood under the name of a person keeps none of their other ways to sign in shut', async () => {
  const { server, device, page, browser } = await startProxied()
  const { address, people } = server
  const answers = flood(async (from) => (await signIn(server, 'wrong', from)).status, 8)
  await eventually(() =>
    expect(answers.filter((status) => status === 429).length).toBeGreaterThan(99),
  )
  const newBrowser = await signIn(server, PASSWORD, '203.0.113.1')
  expect([newBrowser.status, newBrowser.text]).toEqual([
    429,
    expect.stringMatching(/too_many_attempts|sign_in_busy/),
  ])

  const passkey = forwarded('203.0.113.2')
  const begun = await call(address, 'account/passkey', undefined, passkey)
  const { ceremony, options } = JSON.parse(begun.text).result.data
  const response = device.assert({ ...SITE, challenge: options.challenge })
  const asserted = await call(address, 'account/signInWithPasskey', { ceremony, response }, passkey)
  expect([asserted.status, cookieOf(asserted)]).toEqual([200, expect.stringContaining('session')])

  const signOn = await call(address, 'account/signOn', { page }, forwarded('203.0.113.3'))
  const back = await comeBack(server, signOn, '203.0.113.3')
  expect([back.status, back.headers.location]).toEqual([303, './'])

  expect((await signIn(server, PASSWORD, '203.0.113.4', { cookie: browser })).status).toBe(200)

  const [ada] = people.list()
  const { token } = await people.createResetLink(ROOT, ada?.id ?? '')
  const link = { token, password: `${PASSWORD} again` }
  const accepted = await call(address, 'account/acceptLink', link, forwarded('203.0.113.5'))
  expect([accepted.status, accepted.text]).toEqual([200, expect.stringContaining('signed_in')])
})

/**
 * A server behind a proxy with the account Ada. Its passwords cost a quarter of what they cost elsewhere, and refusals are
 * held back for a quarter of the time: as many attempts come while one is compared.
 */
async function startBusy() {
  const server = await startBrowserConsole(
    { trustProxy: ['loopback'], console: { names: [HOST] } },
    { passwordCost: 15, refusalsHeldFor: { least: 250, most: 1_000 } },
  )
  const { token } = await server.people.createSetupLink()
  const caller = { address: '198.51.100.1', userAgent: 'Firefox' }
  await server.people.acceptLink(token, { name: 'Ada', password: PASSWORD }, caller)
  return server
}

/**
 * The median of the slowest update checks of five rounds, in milliseconds: a flood slows all rounds, and what else the computer
 * does for a moment only some.
 */
async function slowestOfChecks(server: TestServer): Promise<number> {
  const rounds: number[] = []
  for (let round = 0; round < 5; round += 1) rounds.push(await slowestOfRound(server))
  return rounds.toSorted((a, b) => a - b)[2] ?? 0
}

async function slowestOfRound({ address }: TestServer): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < 60; n += 1) {
    const began = performance.now()
    await send(address, '/u/editor/stable/linux/x86_64/1.0.0', {
      headers: { 'x-forwarded-for': `198.18.0.${n}` },
    })
    times.push(performance.now() - began)
  }
  return Math.max(...times)
}

test('a flood of sign-ins keeps neither people with an account nor update checks waiting', async () => {
  const server = await startBusy()
  const alone = await slowestOfChecks(server)
  const codeOf = ({ text }: Awaited<ReturnType<typeof signIn>>): string | undefined =>
    JSON.parse(text).error?.data.callError.refusal.code
  const answers = flood(
    async (from, n) => codeOf(await signIn(server, 'wrong', from, { name: `name-${n}` })),
    32,
  )
  await eventually(() => expect(answers).toContain('sign_in_busy'))

  // New browsers, from addresses that nobody has signed in from.
  const honest = [1, 2, 3].map((n) => signIn(server, PASSWORD, `203.0.113.${n}`))
  expect((await Promise.all(honest)).map(({ status }) => status)).toEqual([200, 200, 200])
  expect(codeOf(await signIn(server, 'wrong', '203.0.113.9'))).toBe('sign_in_failed')
  // Far above what it is, and far below what a flood caused that took every processor.
  expect(await slowestOfChecks(server)).toBeLessThan(Math.max(2 * alone, 500))
})
