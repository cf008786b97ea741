import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { endOf, IDLE_TIME, SESSION_TIME } from '../../../src/server/people/sessions.ts'
import { SessionKind } from '../../../src/shared/access/person.ts'
import {
  AWAY,
  acting,
  HOME,
  join,
  OTHER_PASSWORD,
  openPeople,
  PASSWORD,
  ROOT,
  setUp,
  signIn,
} from '../../support/builders/people.ts'
import { eventually } from '../../support/eventually.ts'

const HOUR = 3_600_000

describe('a session', () => {
  test('is found by its token alone', async () => {
    const { people } = await openPeople()
    const { token, session } = await setUp(people)
    expect(people.find(token)).toEqual(session)
    for (const wrong of ['', 'x', token.slice(1), `${token}A`, session.id, 'A'.repeat(43)]) {
      expect(people.find(wrong)).toBeUndefined()
    }
  })

  test('and a link are stored without what would let somebody use them', async () => {
    const { people, store } = await openPeople()
    const { token, session } = await setUp(people)
    const link = await people.createResetLink(ROOT, session.account.id)
    const stored = JSON.stringify(await store.stateUnless(0))
    for (const secret of [token, link.token]) {
      expect(stored).not.toContain(secret)
      expect(stored).toContain(createHash('sha256').update(secret).digest('hex'))
    }
    expect(stored).not.toContain(PASSWORD)
  })

  test('ends after 12 hours without use, and after 30 days in any case', async () => {
    const { people, time } = await openPeople()
    const { token } = await setUp(people)
    time.now += 12 * HOUR - 1
    expect(people.find(token)).toBeDefined()
    time.now += 12 * HOUR
    expect(people.find(token)).toBeUndefined()

    const other = await signIn(people, 'mia')
    for (let used = 0; used < 30 * 24 - 11; used += 11) {
      time.now += 11 * HOUR
      expect(people.find(other.token)).toBeDefined()
    }
    time.now += 11 * HOUR
    expect(people.find(other.token)).toBeUndefined()
  })

  test('never outlives either time, whenever it was used', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SessionKind.options),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 2, noNaN: true }),
        (kind, used, at) => {
          const [total, idle] = [SESSION_TIME[kind], IDLE_TIME[kind]]
          const [lastUsed, now] = [Math.round(used * total), Math.round(at * total)]
          const expiresAt = new Date(total).toISOString()
          const isAlive = now < endOf({ kind, expiresAt }, lastUsed)
          expect(isAlive).toBe(now < total && now - lastUsed < idle)
        },
      ),
    )
  })

  test('that expired is announced, and deleted from the store', async () => {
    const { people, store, time } = await openPeople()
    const { session } = await setUp(people)
    const ended: string[] = []
    people.onSessionEnded((id) => ended.push(id))
    time.now += 12 * HOUR
    await people.sweep()
    await people.sweep()
    expect(ended).toEqual([session.id])
    expect((await store.stateUnless(0))?.sessions).toEqual([])
  })

  test('shows its last use at once, and stores it later', async () => {
    const { people, time, folder } = await openPeople()
    const { token, session } = await setUp(people)
    time.now += HOUR
    people.find(token)
    const used = new Date(time.now).toISOString()
    expect(people.sessionsOf(session.account.id)).toMatchObject([{ lastUsedAt: used }])
    expect(people.list()).toMatchObject([{ lastSeenAt: used }])
    await people.stop()
    const again = await openPeople({ folder, time })
    expect(again.people.list()).toMatchObject([{ lastSeenAt: used }])
    expect(again.people.sessionsOf(session.account.id)).toMatchObject([{ lastUsedAt: used }])
  })

  test('that ends in another process ends here', async () => {
    const { people, folder, time } = await openPeople()
    const { token, session } = await setUp(people)
    people.watch()
    const ended: string[] = []
    people.onSessionEnded((id) => ended.push(id))
    const other = await openPeople({ folder, time })
    await other.people.endSession(ROOT, session.id)
    await eventually(() => expect(ended).toEqual([session.id]))
    expect(people.find(token)).toBeUndefined()
  })

  test('makes room for a new one at 100, the oldest first', async () => {
    const { people, time } = await openPeople()
    const first = await setUp(people)
    for (let count = 1; count < 100; count += 1) {
      time.now += 1
      await signIn(people, 'mia')
    }
    expect(people.find(first.token)).toBeDefined()
    await signIn(people, 'mia')
    expect(people.find(first.token)).toBeUndefined()
    expect(people.sessionsOf(first.session.account.id)).toHaveLength(100)
  })
})

describe('ending sessions', () => {
  test('one, all others, or all of an account, with an entry for each', async () => {
    const { people, audit } = await openPeople()
    const one = await setUp(people)
    const two = await signIn(people, 'mia', PASSWORD, AWAY)
    const three = await signIn(people, 'mia')
    const bystander = await join(people, 'noah')
    await people.endSession(acting(one.session), two.session.id)
    expect(people.find(two.token)).toBeUndefined()
    expect((await audit())[0]).toMatchObject({
      action: 'session.ended',
      before: { name: 'mia', address: AWAY.address },
    })
    expect(await people.endOtherSessions(acting(one.session), one.session)).toBe(1)
    expect(people.find(three.token)).toBeUndefined()
    expect(people.find(one.token)).toBeDefined()
    expect(await people.endSessionsOf(ROOT, one.session.account.id)).toBe(1)
    expect(people.find(one.token)).toBeUndefined()
    expect(people.find(bystander.token)).toBeDefined()
    await people.endSession(ROOT, 'none')
  })

  test('a new password ends every other session', async () => {
    const { people } = await openPeople()
    const one = await setUp(people)
    const two = await signIn(people, 'mia')
    const passwords = { current: PASSWORD, next: OTHER_PASSWORD }
    await people.own.changePassword(one.session, passwords, HOME)
    expect(people.find(one.token)).toBeDefined()
    expect(people.find(two.token)).toBeUndefined()
    await expect(signIn(people, 'mia')).rejects.toMatchObject({ facts: { code: 'sign_in_failed' } })
    await signIn(people, 'mia', OTHER_PASSWORD)
  })

  test('a wrong current password changes nothing', async () => {
    const { people } = await openPeople()
    const one = await setUp(people)
    const passwords = { current: 'wrong', next: OTHER_PASSWORD }
    await expect(people.own.changePassword(one.session, passwords, HOME)).rejects.toMatchObject({
      facts: { code: 'current_password_wrong', path: ['current'] },
    })
    await signIn(people, 'mia')
  })
})
