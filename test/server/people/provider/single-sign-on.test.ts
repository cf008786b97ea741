// @module-tag long

import { describe, expect, test, vi } from 'vitest'
import type { People } from '../../../../src/server/people/people.ts'
import {
  AWAY,
  access,
  acting,
  HOME,
  join,
  openPeople,
  PASSWORD,
  ROOT,
  setUp,
} from '../../../support/builders/people.ts'
import {
  type ProviderTraffic,
  REDIRECT_URI,
  signInAtProvider,
  startProvider,
} from '../../../support/servers/identity-provider.ts'

function signOn(people: People) {
  const { singleSignOn } = people
  if (singleSignOn === null) throw new Error('there is no provider')
  return singleSignOn
}

async function finished(people: People, login: string, purpose = {}) {
  const { url, roundTrip } = await signOn(people).begin(REDIRECT_URI, purpose)
  return await signOn(people).finish(await signInAtProvider(url, login), roundTrip, AWAY)
}

async function roundTrip(people: People, login: string, purpose = {}) {
  const result = await finished(people, login, purpose)
  if (result.kind !== 'signed_in') throw new Error('nobody was signed in')
  return result
}

test('an invitation is accepted at the provider, which signs in from then on', async () => {
  const provider = await startProvider()
  const { people, audit } = await openPeople({ provider })
  await setUp(people)
  const invited = await people.invite(ROOT, { name: 'noah', access: access('viewer') })
  const { session } = await roundTrip(people, 'n-1', { link: invited.token })
  expect(session).toMatchObject({ account: { name: 'noah' }, ...AWAY })
  expect((await audit()).map(({ action }) => action).slice(0, 3)).toEqual([
    'session.started',
    'person.invitation_accepted',
    'person.identity_linked',
  ])
  expect(people.lookUpLink(invited.token)).toBeUndefined()
  const again = await roundTrip(people, 'n-1')
  expect(again.session.account).toMatchObject({
    name: 'noah',
    identities: [{ issuer: provider.issuer, subject: 'n-1' }],
  })
})

test('an identity that nobody linked is refused, whatever its name is', async () => {
  const { people } = await openPeople({ provider: await startProvider() })
  await setUp(people)
  await expect(roundTrip(people, 'mia')).rejects.toMatchObject({
    facts: { code: 'identity_unknown' },
  })
})

test('people link their own account; one identity is one account', async () => {
  const provider = await startProvider()
  const { people, audit } = await openPeople({ provider })
  const mia = await setUp(people)
  const noah = await join(people, 'noah')
  const sessions = () => people.sessionsOf(mia.session.account.id).map(({ id }) => id)
  const before = sessions()
  expect(await finished(people, 'm-1', { session: mia.session })).toEqual({ kind: 'linked' })
  expect(sessions()).toEqual(before)
  expect((await audit())[0]).toMatchObject({
    action: 'person.identity_linked',
    after: { name: 'mia', subject: 'm-1' },
  })
  expect((await roundTrip(people, 'm-1')).session.account.name).toBe('mia')
  const taken = { facts: { code: 'identity_taken', name: 'mia' } }
  await expect(finished(people, 'm-1', { session: noah.session })).rejects.toMatchObject(taken)
  const { id } = noah.session.account
  await finished(people, 'n-1', { session: noah.session })
  expect((await roundTrip(people, 'n-1')).session.account.name).toBe('noah')
  await people.setDisabled(acting(mia.session), id, true)
  await expect(roundTrip(people, 'n-1')).rejects.toMatchObject({
    facts: { code: 'sign_in_failed' },
  })
})

test('a session that has ended links nothing', async () => {
  const provider = await startProvider()
  const { people } = await openPeople({ provider })
  const { session } = await setUp(people)
  const begun = await signOn(people).begin(REDIRECT_URI, { session })
  await people.endSession(ROOT, session.id)
  const query = await signInAtProvider(begun.url, 'm-1')
  const back = signOn(people).finish(query, begun.roundTrip, AWAY)
  await expect(back).rejects.toMatchObject({ facts: { code: 'sign_in_expired' } })
  expect(people.account(session.account.id)?.identities).toEqual([])
})

test('people unlink their own account, unless nothing else signs them in', async () => {
  const provider = await startProvider()
  const { people, store, audit } = await openPeople({ provider })
  const mia = await setUp(people)
  const { issuer } = provider
  const identity = { issuer, subject: 'm-1' }
  await finished(people, 'm-1', { session: mia.session })
  const unlink = (password: string, session = mia.session, which = identity) =>
    people.own.unlinkIdentity(session, which, password, AWAY)
  await expect(unlink('wrong')).rejects.toMatchObject({
    facts: { code: 'current_password_wrong', path: ['password'] },
  })
  await unlink(PASSWORD)
  expect((await audit())[0]).toMatchObject({
    ...{ action: 'person.identity_unlinked', actor: { name: 'mia', address: AWAY.address } },
    ...{ before: { name: 'mia', ...identity }, after: null },
  })
  await expect(unlink(PASSWORD)).rejects.toMatchObject({ facts: { code: 'unknown_identity' } })
  await expect(roundTrip(people, 'm-1')).rejects.toMatchObject({
    facts: { code: 'identity_unknown' },
  })

  // An account without a password.
  const invited = await people.invite(ROOT, { name: 'noah', access: access('viewer') })
  const noah = await roundTrip(people, 'm-1', { link: invited.token })
  const { id } = noah.session.account
  const last = { facts: { code: 'last_sign_in_method' } }
  await expect(unlink('', noah.session)).rejects.toMatchObject({
    facts: { code: 'confirmation_needed', methods: ['single_sign_on'] },
  })
  await people.confirmations.note(noah.session)
  await expect(unlink('', noah.session)).rejects.toMatchObject(last)
  // An identity of a provider that signs nobody in here is no way in.
  const former = { issuer: 'https://former.example', subject: 'n' }
  const createdAt = new Date().toISOString()
  await store.transact((tx) => tx.insertIdentity({ ...former, accountId: id, createdAt }))
  await expect(unlink('', noah.session)).rejects.toMatchObject(last)
  await finished(people, 'm-2', { session: noah.session })
  await unlink('', noah.session)
  expect(
    people
      .account(id)
      ?.identities.map(({ subject }) => subject)
      .sort(),
  ).toEqual(['m-2', 'n'])
})

describe('a session is confirmed at the provider', () => {
  async function signedInAt(now: number) {
    const { people, time } = await openPeople({ provider: await startProvider(), time: { now } })
    await setUp(people)
    const invited = await people.invite(ROOT, { name: 'noah', access: access('viewer') })
    const { session } = await roundTrip(people, 'n-1', { link: invited.token })
    return { people, time, session, purpose: { session, sessionFor: 'confirming' } as const }
  }

  test('by signing in anew, for ten minutes, which begins no session', async () => {
    const { people, time, session, purpose } = await signedInAt(Date.now())
    expect(await people.confirmations.has(session)).toBe(false)
    const { url } = await signOn(people).begin(REDIRECT_URI, purpose)
    expect(new URL(url).searchParams.get('max_age')).toBe('0')
    expect(await finished(people, 'n-1', purpose)).toEqual({ kind: 'confirmation', refusal: null })
    expect(people.sessionsOf(session.account.id)).toHaveLength(1)
    time.now += 10 * 60_000 - 1
    expect(await people.confirmations.has(session)).toBe(true)
    time.now += 1
    expect(await people.confirmations.has(session)).toBe(false)
  })

  test('but neither with another identity nor by an earlier sign-in there', async () => {
    const { people, time, session, purpose } = await signedInAt(Date.now())
    expect(await finished(people, 'somebody', purpose)).toMatchObject({
      refusal: { facts: { code: 'unknown_identity' } },
    })
    // For the provider, the round trip begins five minutes after the person signs in.
    time.now += 5 * 60_000
    expect(await finished(people, 'n-1', purpose)).toMatchObject({
      refusal: { facts: { code: 'sign_in_not_fresh' } },
    })
    expect(await people.confirmations.has(session)).toBe(false)
  })
})

test('a round trip is finished once, by the browser that began it, with what the provider said', async () => {
  const { people } = await openPeople({ provider: await startProvider() })
  const { session } = await setUp(people)
  await finished(people, 'm-1', { session })
  const expired = { facts: { code: 'sign_in_expired' } }
  const failed = { facts: { code: 'single_sign_on_failed' } }
  const finish = (query: URLSearchParams, sealed: string) =>
    signOn(people).finish(query, sealed, HOME)
  const stateOf = ({ url }: { url: string }) => new URL(url).searchParams.get('state') ?? ''

  const first = await signOn(people).begin(REDIRECT_URI)
  const query = await signInAtProvider(first.url, 'm-1')
  const other = await signOn(people).begin(REDIRECT_URI)
  // The round trip of another browser: a forged sign-in.
  await expect(finish(query, other.roundTrip)).rejects.toMatchObject(expired)
  await finish(query, first.roundTrip)
  await expect(finish(query, first.roundTrip)).rejects.toMatchObject(expired)

  // A code that was made for another round trip does not have its nonce and its PKCE verifier.
  const stolen = new URLSearchParams(await signInAtProvider(first.url, 'm-1'))
  stolen.set('state', stateOf(other))
  await expect(finish(stolen, other.roundTrip)).rejects.toMatchObject(failed)

  // Another code does not make a round trip that was finished good for a second sign-in.
  const second = await signInAtProvider(first.url, 'm-1')
  await expect(finish(second, first.roundTrip)).rejects.toMatchObject(expired)
})

test('strangers who begin round trips displace that of nobody, and it ends after 10 minutes', async () => {
  const { people, time } = await openPeople({ provider: await startProvider() })
  const { session } = await setUp(people)
  await finished(people, 'm-1', { session })
  const begun = await signOn(people).begin(REDIRECT_URI)
  const query = await signInAtProvider(begun.url, 'm-1')
  for (let n = 0; n < 1_001; n += 1) await signOn(people).begin(REDIRECT_URI)
  await signOn(people).finish(query, begun.roundTrip, HOME)

  const late = await signOn(people).begin(REDIRECT_URI)
  const lateQuery = await signInAtProvider(late.url, 'm-1')
  time.now += 10 * 60_000
  await expect(signOn(people).finish(lateQuery, late.roundTrip, HOME)).rejects.toMatchObject({
    facts: { code: 'sign_in_expired' },
  })
})

test('a provider that fails is called again after a while, which grows until it answers', async () => {
  const onFailure = vi.fn()
  const traffic: ProviderTraffic = { asked: [], isFailing: true }
  const provider = await startProvider(REDIRECT_URI, traffic)
  const { people, time } = await openPeople({ provider, onFailure })
  const begin = () => signOn(people).begin(REDIRECT_URI)
  const failed = async (retrySeconds: number) => {
    const facts = { code: 'provider_unavailable', retrySeconds }
    await expect(begin()).rejects.toMatchObject({ facts })
  }
  const waits = [2, 4, 8, 16, 32, 60, 60]
  for (const [n, seconds] of waits.entries()) {
    await failed(seconds)
    time.now += seconds * 1_000 - 1
    await failed(1)
    expect([traffic.asked.length, onFailure.mock.calls.length]).toEqual([n + 1, n + 1])
    time.now += 1
  }
  traffic.isFailing = false
  const begun = await begin()

  // It fails where the code is to be exchanged.
  traffic.isFailing = true
  const query = new URLSearchParams({ code: 'any', iss: provider.issuer })
  query.set('state', new URL(begun.url).searchParams.get('state') ?? '')
  await expect(signOn(people).finish(query, begun.roundTrip, AWAY)).rejects.toMatchObject({
    facts: { code: 'provider_unavailable', retrySeconds: 2 },
  })
  await failed(2)
})

test('a clock that is set back does not keep the provider from being called', async () => {
  const traffic: ProviderTraffic = { asked: [], isFailing: true }
  const { people, time } = await openPeople({ provider: await startProvider(undefined, traffic) })
  const begin = () => signOn(people).begin(REDIRECT_URI)
  await expect(begin()).rejects.toMatchObject({ facts: { code: 'provider_unavailable' } })
  traffic.isFailing = false
  time.now -= 24 * 3_600_000
  await begin()
})

test('codes that no provider has issued are limited for an IPv6 network of any size, and those it confirms are not', async () => {
  const traffic: ProviderTraffic = { asked: [], isFailing: false }
  const provider = await startProvider(REDIRECT_URI, traffic)
  const { people } = await openPeople({ provider })
  const { session } = await setUp(people)
  await finished(people, 'm-1', { session })
  const forged = async (address: string) => {
    const { url, roundTrip } = await signOn(people).begin(REDIRECT_URI)
    const query = new URLSearchParams({ code: 'forged', iss: provider.issuer })
    query.set('state', new URL(url).searchParams.get('state') ?? '')
    const finish = signOn(people).finish(query, roundTrip, { ...AWAY, address })
    return await finish.catch((error) => error.facts.code)
  }
  const counted = async (times: number, addressOf: (n: number) => string) => {
    const codes: string[] = []
    for (let n = 0; n < times; n += 1) codes.push(await forged(addressOf(n)))
    return codes.filter((code) => code === 'single_sign_on_failed').length
  }
  const hex = (n: number) => n.toString(16)
  expect(await counted(102, () => '2001:db8:1:1::1')).toBe(100)
  expect(await counted(202, (n) => `2001:db8:2:${hex(n)}::1`)).toBe(200)
  expect(await counted(402, (n) => `2001:db8:3:${hex(n * 0x20)}::1`)).toBe(400)
  const browser = new Map<string, string>()
  for (let n = 0; n < 101; n += 1) {
    const { url, roundTrip } = await signOn(people).begin(REDIRECT_URI)
    const query = await signInAtProvider(url, 'm-1', browser)
    const { kind } = await signOn(people).finish(query, roundTrip, AWAY)
    expect(kind).toBe('signed_in')
  }
})
