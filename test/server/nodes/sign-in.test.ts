// @module-tag postgresql

import { TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { PasskeyAssertion, PasskeyRegistration } from '../../../src/shared/access/person.ts'
import { Authenticator } from '../../support/builders/authenticator.ts'
import { AWAY, access, HOME, ROOT } from '../../support/builders/people.ts'
import { eventually } from '../../support/eventually.ts'
import { freshDatabase } from '../../support/postgres/shared-cluster.ts'
import { PASSWORD, signUp, startBrowserConsole } from '../../support/servers/browser.ts'
import {
  type ProviderTraffic,
  REDIRECT_URI,
  signInAtProvider,
  startProvider,
} from '../../support/servers/identity-provider.ts'
import type { TestServer } from '../../support/servers/server.ts'
import { browserWith, stranger } from '../../support/servers/signed-in.ts'
import { startTcpProxy } from '../../support/servers/tcp-proxy.ts'

const SITE = { rpId: 'updates.example.com', origin: 'https://updates.example.com' }
const EXPIRED = { facts: { code: 'sign_in_expired' } }

/** Two servers on one database, with the first account, signed in on the first. */
async function startTwo(config: Parameters<typeof startBrowserConsole>[0] = {}) {
  const database = await freshDatabase({ prepared: true })
  const one = await startBrowserConsole({ ...config, database })
  const other = await startBrowserConsole({ ...config, database })
  await Promise.all([serves(one), serves(other)])
  const cookie = await signUp(one)
  const ada = browserWith(one, cookie)
  await known(other, 'Ada')
  return { one, other, cookie, ada }
}

/** Waits until a server may serve: it has joined the others. */
async function serves({ address }: TestServer): Promise<void> {
  await eventually(async () => expect((await fetch(`${address}/healthz`)).status).toBe(200))
}

/** Waits until a server knows of an account. */
async function known({ people }: TestServer, name: string): Promise<void> {
  await eventually(() => expect(people.list().map((account) => account.name)).toContain(name))
}

test('the second factor follows the password on another server, and its tries are counted together', async () => {
  const { one, other, ada, cookie } = await startTwo()
  const enrolled = (await ada.call('account/own.beginTotp')).data
  const { secret, enrolment } = enrolled
  const totp = new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: 30 })
  const there = browserWith(other, cookie)
  const code = totp.generate()
  const confirmed = await there.call('account/own.confirmTotp', {
    ...{ enrolment, code, password: PASSWORD },
  })
  const [recoveryCode, next] = confirmed.data.recoveryCodes
  await eventually(() => expect(one.people.list()[0]?.secondFactors).toContain('totp'))

  const begun = await stranger(one, 'account/signIn', { name: 'Ada', password: PASSWORD })
  const { challenge } = begun.data
  const answer = (server: TestServer, given: object) =>
    stranger(server, 'account/completeSecondFactor', { challenge, answer: given })
  for (const server of [other, one]) {
    const wrong = await answer(server, { totp: '000000' })
    expect(wrong.refusal).toEqual({ code: 'second_factor_wrong' })
  }
  const done = await answer(other, { recoveryCode })
  expect([done.status, done.cookie]).toEqual([200, expect.stringContaining('session')])
  for (const server of [one, other]) {
    const replayed = await answer(server, { recoveryCode: next })
    expect(replayed.refusal).toEqual({ code: 'sign_in_expired' })
  }

  const tried = await stranger(other, 'account/signIn', { name: 'Ada', password: PASSWORD })
  const guess = (server: TestServer) =>
    stranger(server, 'account/completeSecondFactor', {
      challenge: tried.data.challenge,
      answer: { totp: '000000' },
    })
  const codes: string[] = []
  for (const server of [one, other, one, other, one, other]) {
    codes.push((await guess(server)).refusal.code)
  }
  expect(codes).toEqual([...Array(5).fill('second_factor_wrong'), 'sign_in_expired'])
})

test('a passkey answers on one server what another has asked, once', async () => {
  const { one, other, cookie } = await startTwo()
  const token = cookie.split('=')[1] ?? ''
  const session = one.people.find(token)
  if (session === undefined) throw new Error('nobody is signed in')
  const device = new Authenticator()
  const begun = await one.people.passkeys.registrationOptions(session, SITE)
  const made = PasskeyRegistration.parse(device.register({ ...SITE, ...begun.options }))
  const input = { ceremony: begun.ceremony, response: made, name: 'Phone', password: PASSWORD }
  await other.people.passkeys.register(session, input, HOME)
  await eventually(() => expect(one.people.list()[0]?.passkeys).toHaveLength(1))

  const { ceremony, options } = await one.people.passkeys.signInOptions(SITE)
  // A passkey that does not count its uses: only the ceremony itself tells a replay.
  device.counter = -1
  const assertion = device.assert({ ...SITE, challenge: options.challenge })
  const answered = { ceremony, response: PasskeyAssertion.parse(assertion) }
  const uses = await Promise.allSettled(
    [other, one, other, one].map(({ people }) => people.passkeys.signIn(answered, AWAY)),
  )
  expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const { people } of [one, other]) {
    await expect(people.passkeys.signIn(answered, AWAY)).rejects.toMatchObject(EXPIRED)
  }
})

test('who comes back from the provider signs in on another server, once, and can link an account there', async () => {
  const traffic: ProviderTraffic = { asked: [], isFailing: false }
  const provider = await startProvider(REDIRECT_URI, traffic)
  const { one, other, cookie } = await startTwo({ provider })
  const signOn = ({ people }: TestServer) => {
    if (people.singleSignOn === null) throw new Error('there is no provider')
    return people.singleSignOn
  }
  const { token } = await one.people.invite(ROOT, { name: 'Noah', access: access('viewer') })
  await known(other, 'Noah')
  const { url, roundTrip } = await signOn(one).begin(REDIRECT_URI, { link: token })
  const query = await signInAtProvider(url, 'n-1')
  const result = await signOn(other).finish(query, roundTrip, AWAY)
  expect(result).toMatchObject({ kind: 'signed_in', session: { account: { name: 'Noah' } } })
  for (const server of [one, other]) {
    await expect(signOn(server).finish(query, roundTrip, AWAY)).rejects.toMatchObject(EXPIRED)
  }

  // Also if the provider did not confirm it.
  const forged = await signOn(one).begin(REDIRECT_URI)
  const state = new URL(forged.url).searchParams.get('state') ?? ''
  const codes = new URLSearchParams({ code: 'forged', state, iss: provider.issuer })
  const asked = traffic.asked.length
  const uses = await Promise.allSettled(
    [one, other, one, other].map((server) => signOn(server).finish(codes, forged.roundTrip, AWAY)),
  )
  expect(traffic.asked.length - asked).toBe(1)
  const expired = uses.filter(
    (use) => use.status === 'rejected' && use.reason.facts.code === 'sign_in_expired',
  )
  expect(expired).toHaveLength(3)

  const session = one.people.find(cookie.split('=')[1] ?? '')
  const linking = await signOn(one).begin(REDIRECT_URI, { session })
  const back = await signInAtProvider(linking.url, 'a-1')
  expect(await signOn(other).finish(back, linking.roundTrip, AWAY)).toEqual({ kind: 'linked' })
  await eventually(() => {
    const ada = one.people.list().find(({ name }) => name === 'Ada')
    expect(ada?.identities).toMatchObject([{ subject: 'a-1' }])
  })
})

test('failed sign-ins are counted together', async () => {
  const { one, other } = await startTwo()
  await one.people.invite(ROOT, { name: 'Noah', access: access() })
  const attempt = (server: TestServer, password: string, name = 'Noah') =>
    stranger(server, 'account/signIn', { name, password })
  const codes: string[] = []
  for (let n = 0; n < 10; n += 1) {
    codes.push((await attempt(n % 2 === 0 ? one : other, 'wrong')).refusal.code)
  }
  expect(codes).toEqual(Array(10).fill('sign_in_failed'))
  for (const server of [one, other]) {
    expect((await attempt(server, 'wrong')).refusal.code).toBe('too_many_attempts')
  }
  expect((await attempt(other, PASSWORD, 'Ada')).status).toBe(200)
})

test('a code is entered on one server while its command asks another', async () => {
  const { one, other, ada } = await startTwo()
  const begun = one.people.codes.begin('laptop', AWAY)
  const { userCode } = begun.request
  const shown = ada.call('account/own.signInCode', { code: userCode })
  await eventually(async () => {
    expect(await other.people.codes.poll(begun.deviceCode, AWAY)).toEqual({ state: 'pending' })
    const seen = await Promise.race([shown, Promise.resolve(undefined)])
    expect(seen?.data).toMatchObject({ userCode, computer: 'laptop' })
  })
  await ada.call('account/own.decideSignInCode', { code: userCode, confirmed: true })
  const answers = await Promise.all(
    [other, one, other].map(({ people }) => people.codes.poll(begun.deviceCode, AWAY)),
  )
  expect(answers.map(({ state }) => state).toSorted()).toEqual(['expired', 'expired', 'signed_in'])
})

test('nobody signs in while the database does not answer', async () => {
  const database = await freshDatabase({ prepared: true })
  const proxy = await startTcpProxy(database)
  const server = await startBrowserConsole({ database: proxy.url })
  await serves(server)
  await signUp(server)
  proxy.cut()
  const { people } = server
  // A wrong one, too: it could not be counted.
  for (const password of [PASSWORD, 'wrong']) {
    const attempt = people.signIn({ name: 'Ada', password }, AWAY)
    await expect(attempt).rejects.toMatchObject({ name: 'Unavailable' })
  }
})
