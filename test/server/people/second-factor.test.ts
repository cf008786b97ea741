import { TOTP } from 'otpauth'
import { describe, expect, test } from 'vitest'
import type { SignedIn } from '../../../src/server/people/account.ts'
import type { People } from '../../../src/server/people/people.ts'
import {
  AWAY,
  HOME,
  OTHER_PASSWORD,
  openPeople,
  PASSWORD,
  ROOT,
  setUp,
  signIn,
  type TestClock,
} from '../../support/builders/people.ts'

const FAILED = { facts: { code: 'sign_in_failed' } }
const MINUTE = 60_000

/** Turns on an authenticator app for an account. */
async function enrol(people: People, { session }: SignedIn, time: TestClock) {
  const { enrolment, secret, uri } = people.own.beginTotp(session)
  expect(uri).toMatch(/^otpauth:\/\/totp\/Tidegate:mia\?/)
  const codeAt = (now: number) =>
    new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: 30 }).generate({ timestamp: now })
  const input = { enrolment, code: codeAt(time.now), password: PASSWORD }
  const { recoveryCodes } = await people.own.confirmTotp(session, input, HOME)
  return { codeAt, recoveryCodes }
}

async function challenge(people: People): Promise<string> {
  const result = await people.signIn({ name: 'mia', password: PASSWORD }, HOME)
  if (result.kind !== 'second_factor') throw new Error('no second factor is asked for')
  return result.challenge
}

const WRONG = { facts: { code: 'second_factor_wrong' } }
const EXPIRED = { facts: { code: 'sign_in_expired' } }

describe('a second factor', () => {
  test('is asked for after the password, and each time step is accepted once', async () => {
    const { people, time } = await openPeople()
    const { codeAt } = await enrol(people, await setUp(people), time)
    expect(await people.signIn({ name: 'mia', password: PASSWORD }, HOME)).toMatchObject({
      kind: 'second_factor',
      methods: ['totp', 'recovery_code'],
    })
    // The step of the enrolment has been used.
    const used = people.completeSecondFactor(
      await challenge(people),
      { totp: codeAt(time.now) },
      HOME,
    )
    await expect(used).rejects.toMatchObject(WRONG)
    time.now += 30_000
    const totp = codeAt(time.now)
    const token = await challenge(people)
    const { session } = await people.completeSecondFactor(token, { totp }, AWAY)
    expect(session).toMatchObject({ account: { name: 'mia' }, ...AWAY })
    await expect(people.completeSecondFactor(token, { totp }, HOME)).rejects.toMatchObject(EXPIRED)
    const again = people.completeSecondFactor(await challenge(people), { totp }, HOME)
    await expect(again).rejects.toMatchObject(WRONG)
  })

  test('takes the code of one step earlier or later, and no other', async () => {
    const { people, time } = await openPeople()
    const { codeAt } = await enrol(people, await setUp(people), time)
    const attempt = async (offset: number) => {
      const code = { totp: codeAt(time.now + offset * 30_000) }
      return await people.completeSecondFactor(await challenge(people), code, HOME)
    }
    time.now += 10 * 30_000
    await expect(attempt(-2)).rejects.toMatchObject(WRONG)
    await expect(attempt(2)).rejects.toMatchObject(WRONG)
    await attempt(-1)
    await attempt(1)
    // The present step lies before the one that was used last.
    await expect(attempt(0)).rejects.toMatchObject(WRONG)
  })

  test('confirms a session, each code once, within the limits of a sign-in', async () => {
    const { people, time } = await openPeople()
    const mia = await setUp(people)
    const { codeAt } = await enrol(people, mia, time)
    const confirm = (totp: string) => people.confirmations.confirm(mia.session, { totp }, HOME)
    time.now += 30_000
    await confirm(codeAt(time.now))
    expect(await people.confirmations.has(mia.session)).toBe(true)
    await expect(confirm(codeAt(time.now))).rejects.toMatchObject(WRONG)
    for (let n = 0; n < 9; n += 1) await expect(confirm('000000')).rejects.toMatchObject(WRONG)
    await expect(confirm('000000')).rejects.toMatchObject({
      facts: { code: 'too_many_attempts' },
    })
  })

  test('can be a recovery code, each once, however it is typed', async () => {
    const { people, time, audit } = await openPeople()
    const { recoveryCodes } = await enrol(people, await setUp(people), time)
    expect(new Set(recoveryCodes).size).toBe(10)
    const [recoveryCode = '', other = ''] = recoveryCodes
    expect(recoveryCode).toMatch(/^(?:[0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/)
    await people.completeSecondFactor(await challenge(people), { recoveryCode }, HOME)
    expect((await audit())[1]).toMatchObject({
      action: 'person.recovery_code_used',
      after: { codesLeft: 9 },
    })
    const again = people.completeSecondFactor(await challenge(people), { recoveryCode }, HOME)
    await expect(again).rejects.toMatchObject(WRONG)
    const typed = { recoveryCode: ` ${other.toUpperCase().replaceAll('-', ' ')} ` }
    await people.completeSecondFactor(await challenge(people), typed, HOME)
    expect(people.list()).toMatchObject([{ recoveryCodesLeft: 8 }])
  })

  test('must follow within 5 minutes, 5 tries and the same password', async () => {
    const { people, time } = await openPeople()
    const { codeAt } = await enrol(people, await setUp(people), time)
    const late = await challenge(people)
    time.now += 5 * MINUTE
    const right = () => ({ totp: codeAt(time.now) })
    await expect(people.completeSecondFactor(late, right(), HOME)).rejects.toMatchObject(EXPIRED)
    const tried = await challenge(people)
    for (let time = 0; time < 5; time += 1) {
      const wrong = people.completeSecondFactor(tried, { totp: '000000' }, HOME)
      await expect(wrong).rejects.toMatchObject(WRONG)
    }
    await expect(people.completeSecondFactor(tried, right(), HOME)).rejects.toMatchObject(EXPIRED)
    const before = await challenge(people)
    const [account] = people.list()
    const { token } = await people.createResetLink(ROOT, account?.id ?? '')
    // A link does not stand in for the second factor.
    const reset = await people.acceptLink(token, { password: OTHER_PASSWORD }, HOME)
    expect(reset).toMatchObject({ kind: 'second_factor' })
    await expect(people.completeSecondFactor(before, right(), HOME)).rejects.toMatchObject(FAILED)
  })

  test('codes of others do not use up those of a known browser', async () => {
    const { people, time } = await openPeople()
    const signedIn = await setUp(people)
    const { codeAt } = await enrol(people, signedIn, time)
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const wrong = people.completeSecondFactor(await challenge(people), { totp: '000000' }, HOME)
      await expect(wrong).rejects.toMatchObject(WRONG)
    }
    time.now += 30_000
    const own = { ...HOME, browser: signedIn.browser ?? undefined }
    const code = { totp: codeAt(time.now) }
    await people.completeSecondFactor(await challenge(people), code, own)
  })

  test('codes are limited per account, over all challenges', async () => {
    const { people, time } = await openPeople()
    const { codeAt } = await enrol(people, await setUp(people), time)
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const wrong = people.completeSecondFactor(await challenge(people), { totp: '000000' }, HOME)
      await expect(wrong).rejects.toMatchObject(WRONG)
    }
    time.now += 30_000
    const code = { totp: codeAt(time.now) }
    await expect(
      people.completeSecondFactor(await challenge(people), code, HOME),
    ).rejects.toMatchObject({ facts: { code: 'too_many_attempts', retrySeconds: 60 } })
  })

  test('is turned on by a code that is right and the password, and off by the password', async () => {
    const { people, time } = await openPeople()
    const signedIn = await setUp(people)
    const { session } = signedIn
    const { enrolment } = people.own.beginTotp(session)
    const wrongCode = { enrolment, code: '000000', password: PASSWORD }
    await expect(people.own.confirmTotp(session, wrongCode, HOME)).rejects.toMatchObject(WRONG)
    const { recoveryCodes } = await enrol(people, signedIn, time)
    const renewed = await people.own.replaceRecoveryCodes(session, PASSWORD, HOME)
    expect(renewed.recoveryCodes).toHaveLength(10)
    const [old = ''] = recoveryCodes
    const stale = people.completeSecondFactor(await challenge(people), { recoveryCode: old }, HOME)
    await expect(stale).rejects.toMatchObject(WRONG)
    await expect(people.own.disableTotp(session, 'wrong', HOME)).rejects.toMatchObject({
      facts: { code: 'current_password_wrong', path: ['password'] },
    })
    await people.own.disableTotp(session, PASSWORD, HOME)
    await signIn(people, 'mia')
  })

  test('is turned off by an administrator for who has lost it', async () => {
    const { people, time } = await openPeople()
    const signedIn = await setUp(people)
    await enrol(people, signedIn, time)
    await people.resetSecondFactors(ROOT, signedIn.session.account.id)
    await signIn(people, 'mia')
  })
})
