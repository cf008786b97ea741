import { expect, test } from 'vitest'
import {
  AWAY,
  access,
  HOME,
  join,
  OTHER_PASSWORD,
  openPeople,
  PASSWORD,
  ROOT,
  setUp,
  signIn,
} from '../../support/builders/people.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

test('the setup link creates the first administrator, once', async () => {
  const { people, audit } = await openPeople()
  expect(people.hasAccounts()).toBe(false)
  const { token, expiresAt } = await people.createSetupLink()
  expect(people.lookUpLink(token)).toEqual({ kind: 'setup', name: null, expiresAt })
  const result = await people.acceptLink(token, { name: ' Mía ', password: PASSWORD }, HOME)
  expect(result).toMatchObject({
    kind: 'signed_in',
    session: { account: { name: 'Mía', access: { server: 'administrator' } }, ...HOME },
  })
  expect(people.hasAccounts()).toBe(true)
  expect(people.lookUpLink(token)).toBeUndefined()
  const again = people.acceptLink(token, { name: 'eve', password: PASSWORD }, AWAY)
  await expect(again).rejects.toMatchObject({ facts: { code: 'link_invalid' } })
  await expect(people.createSetupLink()).rejects.toMatchObject({
    facts: { code: 'already_set_up' },
  })
  expect(await audit()).toMatchObject([
    { action: 'session.started', actor: { kind: 'person', name: 'Mía', address: HOME.address } },
    { action: 'person.created', actor: { kind: 'person', name: 'Mía', address: HOME.address } },
  ])
})

test('of two people who open the setup link at once, one becomes the administrator', async () => {
  const { people } = await openPeople()
  const { token } = await people.createSetupLink()
  const both = await Promise.allSettled(
    ['mia', 'eve'].map((name) => people.acceptLink(token, { name, password: PASSWORD }, HOME)),
  )
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(people.list()).toHaveLength(1)
})

test('a setup link is void after 15 minutes, and when there is a newer one', async () => {
  const { people, time } = await openPeople()
  const first = await people.createSetupLink()
  const second = await people.createSetupLink()
  expect(people.lookUpLink(first.token)).toBeUndefined()
  time.now += 15 * MINUTE - 1
  expect(people.lookUpLink(second.token)).toBeDefined()
  time.now += 1
  expect(people.lookUpLink(second.token)).toBeUndefined()
  const late = people.acceptLink(second.token, { name: 'mia', password: PASSWORD }, HOME)
  await expect(late).rejects.toMatchObject({ facts: { code: 'link_invalid' } })
})

test('an invitation gives the access that was chosen, and the name cannot be chosen by the invited', async () => {
  const { people, time } = await openPeople()
  await setUp(people)
  const { token, account } = await people.invite(ROOT, {
    name: 'noah',
    access: access('release_manager'),
  })
  expect(account).toMatchObject({ name: 'noah', hasPassword: false, lastSeenAt: null })
  time.now += 7 * DAY - 1
  const result = await people.acceptLink(token, { name: 'root', password: PASSWORD }, AWAY)
  expect(result).toMatchObject({
    session: { account: { name: 'noah', access: { server: 'release_manager' } } },
  })
})

test.each(['mia', 'MIA', ' Mia ', 'ＭＩＡ'])('the name %j is taken by mia', async (name) => {
  const { people } = await openPeople()
  await setUp(people)
  const taken = people.invite(ROOT, { name, access: access() })
  await expect(taken).rejects.toMatchObject({ facts: { code: 'name_taken', name: 'mia' } })
})

test('a reset link sets a new password and ends all sessions', async () => {
  const { people } = await openPeople()
  const { session, token: old } = await setUp(people)
  const { token } = await people.createResetLink(ROOT, session.account.id)
  expect(people.lookUpLink(token)).toMatchObject({ kind: 'reset', name: 'mia' })
  const ended: string[] = []
  people.onSessionEnded((id) => ended.push(id))
  await people.acceptLink(token, { password: OTHER_PASSWORD }, AWAY)
  expect(ended).toEqual([session.id])
  expect(people.find(old)).toBeUndefined()
  await expect(signIn(people, 'mia')).rejects.toMatchObject({ facts: { code: 'sign_in_failed' } })
  expect(await signIn(people, 'mia', OTHER_PASSWORD)).toMatchObject({})
})

test('disabling an account voids its links', async () => {
  const { people } = await openPeople()
  await setUp(people)
  const { session } = await join(people, 'noah')
  const { token } = await people.createResetLink(ROOT, session.account.id)
  await people.setDisabled(ROOT, session.account.id, true)
  expect(people.lookUpLink(token)).toBeUndefined()
  await people.setDisabled(ROOT, session.account.id, false)
  expect(people.lookUpLink(token)).toBeUndefined()
})

test.each([
  ['short-one-1', 'too_short'],
  ['x'.repeat(257), 'too_long'],
  ['password1234', 'guessable'],
  ['qwertyuiopasdfgh', 'guessable'],
  ['aaaaaaaaaaaaaaaaaaaa', 'guessable'],
  ['tidegate-noah', 'guessable'],
  ['123456789012', 'common'],
])('the password %j is refused: %s', async (password, reason) => {
  const { people } = await openPeople()
  await setUp(people)
  const { token } = await people.invite(ROOT, { name: 'noah', access: access() })
  const weak = people.acceptLink(token, { password }, HOME)
  await expect(weak).rejects.toMatchObject({
    facts: { code: 'password_weak', path: ['password'], reason },
  })
  expect(people.lookUpLink(token)).toBeDefined()
})
