import { expect, test, vi } from 'vitest'
import type { People } from '../../../src/server/people/people.ts'
import {
  AWAY,
  access,
  acting,
  HOME,
  join,
  openPeople,
  ROOT,
  setUp,
} from '../../support/builders/people.ts'
import {
  REDIRECT_URI,
  signInAtProvider,
  startProvider,
} from '../../support/servers/identity-provider.ts'

// Threads that judge passwords start slowly on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

function signOn(people: People) {
  const { singleSignOn } = people
  if (singleSignOn === null) throw new Error('there is no provider')
  return singleSignOn
}

async function roundTrip(people: People, login: string, purpose = {}) {
  const { url, state } = await signOn(people).begin(REDIRECT_URI, purpose)
  return await signOn(people).finish(await signInAtProvider(url, login), state, AWAY)
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

test('people link their own account, and administrators any; one identity is one account', async () => {
  const provider = await startProvider()
  const { people } = await openPeople({ provider })
  const mia = await setUp(people)
  const noah = await join(people, 'noah')
  await roundTrip(people, 'm-1', { session: mia.session })
  expect((await roundTrip(people, 'm-1')).session.account.name).toBe('mia')
  const taken = { facts: { code: 'name_taken', name: 'mia' } }
  await expect(roundTrip(people, 'm-1', { session: noah.session })).rejects.toMatchObject(taken)
  const { issuer } = provider
  const { id } = noah.session.account
  const by = acting(mia.session)
  const used = people.linkIdentity(by, id, { issuer, subject: 'm-1' })
  await expect(used).rejects.toMatchObject(taken)
  await people.linkIdentity(by, id, { issuer, subject: 'n-1' })
  expect((await roundTrip(people, 'n-1')).session.account.name).toBe('noah')
  await people.setDisabled(by, id, true)
  await expect(roundTrip(people, 'n-1')).rejects.toMatchObject({
    facts: { code: 'sign_in_failed' },
  })
})

test('a round trip is finished once, by the browser that began it, with what the provider said', async () => {
  const { people } = await openPeople({ provider: await startProvider() })
  const { session } = await setUp(people)
  await roundTrip(people, 'm-1', { session })
  const expired = { facts: { code: 'sign_in_expired' } }
  const failed = { facts: { code: 'single_sign_on_failed' } }
  const finish = (query: URLSearchParams, state: string) =>
    signOn(people).finish(query, state, HOME)

  const first = await signOn(people).begin(REDIRECT_URI)
  const query = await signInAtProvider(first.url, 'm-1')
  const other = await signOn(people).begin(REDIRECT_URI)
  // The state of another browser: a forged sign-in.
  await expect(finish(query, other.state)).rejects.toMatchObject(expired)
  await finish(query, first.state)
  await expect(finish(query, first.state)).rejects.toMatchObject(expired)

  // A code that was made for another round trip does not have its nonce and its PKCE verifier.
  const stolen = new URLSearchParams(await signInAtProvider(first.url, 'm-1'))
  stolen.set('state', other.state)
  await expect(finish(stolen, other.state)).rejects.toMatchObject(failed)
})

test('a provider that cannot be reached is a failure that is reported, and tried again', async () => {
  const onFailure = vi.fn()
  const provider = { issuer: 'http://127.0.0.1:1', clientId: 'a', clientSecret: 'b' }
  const { people } = await openPeople({ provider, onFailure })
  for (const times of [1, 2]) {
    await expect(signOn(people).begin(REDIRECT_URI)).rejects.toMatchObject({
      facts: { code: 'single_sign_on_failed' },
    })
    expect(onFailure).toHaveBeenCalledTimes(times)
  }
})
