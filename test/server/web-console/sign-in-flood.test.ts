import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import {
  call,
  PASSWORD,
  pageHeaders,
  send,
  startBrowserConsole,
} from '../../support/servers/browser.ts'
import type { TestServer } from '../../support/servers/server.ts'

const HOST = 'updates.studio.example'

/**
 * A server behind a proxy with the account Ada. Its passwords cost a quarter of what they cost elsewhere, and refusals are
 * held back for a quarter of the time: as many attempts come while one is compared.
 */
async function startProxied() {
  const server = await startBrowserConsole(
    { trustProxy: ['loopback'], console: { names: [HOST] } },
    { passwordCost: 15, refusalsHeldFor: { least: 250, most: 1_000 } },
  )
  const { token } = await server.people.createSetupLink()
  const caller = { address: '198.51.100.1', userAgent: 'Firefox' }
  await server.people.acceptLink(token, { name: 'Ada', password: PASSWORD }, caller)
  return server
}

/** Calls as the proxy does for somebody at that address. */
function forwarded(from: string): Record<string, string> {
  const own = pageHeaders(`https://${HOST}`)
  return { ...own, host: HOST, 'x-forwarded-for': from, 'x-forwarded-proto': 'https' }
}

async function signIn({ address }: TestServer, name: string, password: string, from: string) {
  const { status, text } = await call(
    address,
    'account/signIn',
    { name, password },
    forwarded(from),
  )
  const code: string | undefined = JSON.parse(text).error?.data.callError.refusal.code
  return { status, code }
}

/** Signs in without end, each time from another IPv6 network and under another name. Returns what it was answered so far. */
function flood(server: TestServer, lanes = 32): readonly (string | undefined)[] {
  const answers: (string | undefined)[] = []
  const ended = { is: false }
  const lane = async (first: number) => {
    for (let n = first; !ended.is; n += lanes) {
      const from = `2001:db8:${(n % 0xff_ff).toString(16)}:${(n % 251).toString(16)}::1`
      answers.push((await signIn(server, `name-${n}`, 'wrong', from)).code)
    }
  }
  const all = Promise.all(Array.from({ length: lanes }, (_, n) => lane(n)))
  onTestFinished(async () => {
    ended.is = true
    await all
  })
  return answers
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
  const server = await startProxied()
  const alone = await slowestOfChecks(server)
  const answers = flood(server)
  await eventually(() => expect(answers).toContain('sign_in_busy'))

  // New browsers, from addresses that nobody has signed in from.
  const honest = [1, 2, 3].map((n) => signIn(server, 'ada', PASSWORD, `203.0.113.${n}`))
  expect((await Promise.all(honest)).map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await signIn(server, 'ada', 'wrong', '203.0.113.9')).toMatchObject({
    code: 'sign_in_failed',
  })
  // Far above what it is, and far below what a flood caused that took every processor.
  expect(await slowestOfChecks(server)).toBeLessThan(Math.max(2 * alone, 500))
})
