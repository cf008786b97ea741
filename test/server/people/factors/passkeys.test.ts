import { expect, test } from 'vitest'
import type { SignedIn } from '../../../../src/server/people/account.ts'
import type { People } from '../../../../src/server/people/people.ts'
import { PasskeyAssertion, PasskeyRegistration } from '../../../../src/shared/access/person.ts'
import { Authenticator } from '../../../support/builders/authenticator.ts'
import {
  AWAY,
  HOME,
  join,
  openPeople,
  PASSWORD,
  ROOT,
  setUp,
} from '../../../support/builders/people.ts'

const SITE = { rpId: 'updates.example.com', origin: 'https://updates.example.com' }
const REJECTED = { facts: { code: 'passkey_rejected' } }
const EXPIRED = { facts: { code: 'sign_in_expired' } }

async function register(people: People, { session }: SignedIn, device = new Authenticator()) {
  const { ceremony, options } = await people.passkeys.registrationOptions(session, SITE)
  expect(options.authenticatorSelection).toMatchObject({ userVerification: 'required' })
  const response = PasskeyRegistration.parse(device.register({ ...SITE, ...options }))
  const input = { ceremony, response, name: 'Phone', password: PASSWORD }
  await people.passkeys.register(session, input, HOME)
  return device
}

async function signIn(people: People, device: Authenticator, breaks = {}) {
  const { ceremony, options } = await people.passkeys.signInOptions(SITE)
  const { challenge } = options
  const response = PasskeyAssertion.parse(device.assert({ ...SITE, challenge, ...breaks }))
  return await people.passkeys.signIn({ ceremony, response }, AWAY)
}

test('a passkey is registered, signs in without a name, and is counted', async () => {
  const { people, audit } = await openPeople()
  const device = await register(people, await setUp(people))
  expect((await audit())[0]).toMatchObject({
    action: 'person.passkey_added',
    after: { name: 'mia', passkey: 'Phone' },
  })
  const { token, session } = await signIn(people, device)
  expect(session).toMatchObject({ account: { name: 'mia' }, ...AWAY })
  expect(people.find(token)?.account.passkeys).toMatchObject([
    { id: device.id, name: 'Phone', lastUsedAt: expect.any(String) },
  ])
  await signIn(people, device)
})

test.each([
  ['another challenge', { challenge: 'AAAA' }],
  ['another origin', { origin: 'https://updates.example.org' }],
  ['another host', { rpId: 'example.org' }],
  ['no verification of the person', { isVerified: false }],
])('%s is rejected', async (_, breaks) => {
  const { people } = await openPeople()
  const device = await register(people, await setUp(people))
  await expect(signIn(people, device, breaks)).rejects.toMatchObject(REJECTED)
  await signIn(people, device)
})

test('a passkey that is not verified cannot be registered', async () => {
  const { people } = await openPeople()
  const { session } = await setUp(people)
  const { ceremony, options } = await people.passkeys.registrationOptions(session, SITE)
  const response = new Authenticator().register({ ...SITE, ...options, isVerified: false })
  const input = { ceremony, response, name: 'Phone', password: PASSWORD }
  await expect(people.passkeys.register(session, input, HOME)).rejects.toMatchObject(REJECTED)
})

test('a copied passkey, whose counter did not grow, is rejected', async () => {
  const { people } = await openPeople()
  const device = await register(people, await setUp(people))
  device.counter = 5
  await signIn(people, device)
  device.counter = 2
  await expect(signIn(people, device)).rejects.toMatchObject(REJECTED)
})

test('the answer of a passkey that does not count its uses is good for one sign-in', async () => {
  const { people } = await openPeople()
  const device = await register(people, await setUp(people))
  const { ceremony, options } = await people.passkeys.signInOptions(SITE)
  // Its use raises the counter to 0: it has none.
  device.counter = -1
  const response = device.assert({ ...SITE, challenge: options.challenge })
  const use = () => people.passkeys.signIn({ ceremony, response }, AWAY)
  const both = await Promise.allSettled([use(), use()])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await expect(use()).rejects.toMatchObject(EXPIRED)
})

test('a ceremony is used once, within 5 minutes, and by who began it', async () => {
  const { people, time } = await openPeople()
  const one = await setUp(people)
  const two = await join(people, 'noah')
  const device = await register(people, one)
  const { ceremony, options } = await people.passkeys.signInOptions(SITE)
  const response = device.assert({ ...SITE, challenge: options.challenge })
  await people.passkeys.signIn({ ceremony, response }, AWAY)
  const again = people.passkeys.signIn({ ceremony, response }, AWAY)
  await expect(again).rejects.toMatchObject(EXPIRED)

  const begun = await people.passkeys.registrationOptions(one.session, SITE)
  const made = new Authenticator().register({ ...SITE, ...begun.options })
  const input = { ceremony: begun.ceremony, response: made, name: 'Phone', password: PASSWORD }
  await expect(people.passkeys.register(two.session, input, HOME)).rejects.toMatchObject(EXPIRED)

  const late = await people.passkeys.signInOptions(SITE)
  time.now += 5 * 60_000
  const answer = device.assert({ ...SITE, challenge: late.options.challenge })
  await expect(
    people.passkeys.signIn({ ceremony: late.ceremony, response: answer }, AWAY),
  ).rejects.toMatchObject(EXPIRED)
})

test('strangers who begin to sign in displace nobody, and a ceremony cannot be made up', async () => {
  const { people } = await openPeople()
  const device = await register(people, await setUp(people))
  const { ceremony, options } = await people.passkeys.signInOptions(SITE)
  const response = device.assert({ ...SITE, challenge: options.challenge })
  for (let n = 0; n < 1_001; n += 1) await people.passkeys.signInOptions(SITE)
  const last = ceremony.at(-1) === 'A' ? 'Q' : 'A'
  for (const forged of ['', 'x'.repeat(100), `${ceremony.slice(0, -1)}${last}`]) {
    const refused = people.passkeys.signIn({ ceremony: forged, response }, HOME)
    await expect(refused).rejects.toMatchObject(EXPIRED)
  }
  await people.passkeys.signIn({ ceremony, response }, HOME)
})

test('failures from an address are limited, but no passkey that is right is refused', async () => {
  const { people } = await openPeople()
  const device = await register(people, await setUp(people))
  const stranger = new Authenticator()
  for (let n = 0; n < 100; n += 1) {
    await expect(signIn(people, stranger)).rejects.toMatchObject(REJECTED)
  }
  await expect(signIn(people, stranger)).rejects.toMatchObject({
    facts: { code: 'too_many_attempts', retrySeconds: 9 },
  })
  await signIn(people, device)
})

test('a passkey of another key or of a disabled account does not sign in', async () => {
  const { people } = await openPeople()
  await setUp(people)
  const noah = await join(people, 'noah')
  const device = await register(people, noah)
  await expect(signIn(people, new Authenticator())).rejects.toMatchObject(REJECTED)
  await people.setDisabled(ROOT, noah.session.account.id, true)
  await expect(signIn(people, device)).rejects.toMatchObject({ facts: { code: 'sign_in_failed' } })
})

test('a passkey confirms a session of its own account, once', async () => {
  const { people } = await openPeople()
  const [mia, noah] = [await setUp(people), await join(people, 'noah')]
  const device = await register(people, mia)
  const confirm = async (
    { session }: SignedIn,
    options = people.passkeys.signInOptions(SITE, session),
  ) => {
    const { ceremony, options: asked } = await options
    const response = PasskeyAssertion.parse(device.assert({ ...SITE, challenge: asked.challenge }))
    const answer = { ceremony, response }
    await people.passkeys.confirm(session, answer, HOME)
    return answer
  }
  await expect(confirm(noah)).rejects.toMatchObject(REJECTED)
  // What was begun to sign in, or for another account, confirms nothing.
  await expect(confirm(mia, people.passkeys.signInOptions(SITE))).rejects.toMatchObject(EXPIRED)
  const others = people.passkeys.signInOptions(SITE, noah.session)
  await expect(confirm(mia, others)).rejects.toMatchObject(EXPIRED)
  expect(await people.confirmations.has(mia.session)).toBe(false)

  const answer = await confirm(mia)
  expect(await people.confirmations.has(mia.session)).toBe(true)
  expect(await people.confirmations.has(noah.session)).toBe(false)
  await expect(people.passkeys.confirm(mia.session, answer, HOME)).rejects.toMatchObject(EXPIRED)
  await expect(people.passkeys.signIn(answer, HOME)).rejects.toMatchObject(EXPIRED)
})

test('a passkey is deleted by its owner, with the password', async () => {
  const { people } = await openPeople()
  const mia = await setUp(people)
  const noah = await join(people, 'noah')
  const device = await register(people, mia)
  const input = { id: device.id, password: PASSWORD }
  await expect(people.passkeys.remove(noah.session, input, HOME)).rejects.toMatchObject({
    facts: { code: 'unknown_passkey' },
  })
  const wrong = { ...input, password: 'wrong' }
  await expect(people.passkeys.remove(mia.session, wrong, HOME)).rejects.toMatchObject({
    facts: { code: 'current_password_wrong' },
  })
  await people.passkeys.remove(mia.session, input, HOME)
  await expect(signIn(people, device)).rejects.toMatchObject(REJECTED)
})
