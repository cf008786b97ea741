import { describe, expect, test } from 'vitest'
import { formatPhc, PasswordHasher, parsePhc } from '../../../src/server/people/password/hasher.ts'
import { createStrengthCheck } from '../../../src/server/people/password/strength.ts'
import { OTHER_PASSWORD, PASSWORD } from '../../support/builders/passwords.ts'

describe('a password hash', () => {
  test('has its parameters with it, a salt of its own, and the cost that OWASP asks for', async () => {
    const hasher = new PasswordHasher()
    const phc = await hasher.hash(PASSWORD)
    expect(phc).toMatch(/^\$scrypt\$ln=17,r=8,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(formatPhc(parsePhc(phc))).toBe(phc)
    // Another cost, as after a change of the default.
    const cheap = new PasswordHasher({ ln: 10 })
    const [one, two] = [await cheap.hash('x'), await cheap.hash('x')]
    expect(one).not.toBe(two)
    expect(await hasher.verify('x', one)).toBe(true)
    expect(await hasher.verify('y', one)).toBe(false)
  })

  test('is compared with something even without an account, and never matches', async () => {
    const hasher = new PasswordHasher({ ln: 10 })
    expect(await hasher.verify('', null)).toBe(false)
    expect(await hasher.verify(PASSWORD, null)).toBe(false)
  })

  test.each([
    '',
    'x',
    '$scrypt$ln=0,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    '$scrypt$ln=30,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    '$argon2id$v=19$m=65536,t=3,p=4$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  ])('%j is none', (text) => {
    expect(() => parsePhc(text)).toThrow(/password hash/)
  })

  const settled = async (attempts: readonly Promise<boolean>[]) => {
    const results = await Promise.allSettled(attempts)
    const refused = results.filter(({ status }) => status === 'rejected')
    for (const result of refused) {
      expect(result).toMatchObject({ reason: { facts: { code: 'sign_in_busy', retrySeconds: 5 } } })
    }
    return results.length - refused.length
  }

  test('waits for its turn, until too many wait', async () => {
    const hasher = new PasswordHasher({ ln: 14 })
    const phc = await hasher.hash('x')
    const all = Array.from({ length: 30 }, () => hasher.verify('x', null))
    // Whoever names an account has places of their own, and so do those who are known.
    const named = Array.from({ length: 30 }, () => hasher.verify('x', phc, 'named'))
    const known = Array.from({ length: 30 }, () => hasher.verify('x', phc, 'known'))
    // One is computed; of strangers 4 wait, and 4 more who name an account.
    expect(await Promise.all([settled(all), settled(named), settled(known)])).toEqual([5, 4, 8])
    expect(await hasher.verify('x', null)).toBe(false)
  })

  test('of somebody who is known is computed before those of strangers, and one at a time', async () => {
    const hasher = new PasswordHasher({ ln: 14 })
    const order: string[] = []
    const noted = (who: string, attempt: Promise<boolean>) => attempt.then(() => order.push(who))
    await Promise.all([
      ...['first', 'second', 'third'].map((who) => noted(who, hasher.verify('x', null))),
      noted('known', hasher.verify('x', null, 'known')),
    ])
    expect(order).toEqual(['first', 'known', 'second', 'third'])
  })
})

test('a new password is judged on a thread that has the lists', async () => {
  const check = createStrengthCheck()
  for (const strong of [PASSWORD, OTHER_PASSWORD]) await check(strong, ['password'], [])
  for (const [password, reason] of [
    ['qwertyuiopasdfgh', 'guessable'],
    ['123456789012', 'common'],
  ] as const) {
    await expect(check(password, ['password'], [])).rejects.toMatchObject({
      facts: { code: 'password_weak', path: ['password'], reason },
    })
  }
})
