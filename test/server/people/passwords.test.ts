import { describe, expect, test } from 'vitest'
import { PasswordHasher } from '../../../src/server/people/password/hasher.ts'
import { formatPhc, parsePhc } from '../../../src/server/people/password/phc.ts'
import { createStrengthCheck } from '../../../src/server/people/password/strength.ts'

describe('a password hash', () => {
  test('has its parameters with it, a salt of its own, and the cost that OWASP asks for', async () => {
    const hasher = new PasswordHasher()
    const phc = await hasher.hash('glass-otter-violin-77')
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
    expect(await hasher.verify('glass-otter-violin-77', null)).toBe(false)
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

  test('waits for its turn, until too many wait', async () => {
    const hasher = new PasswordHasher({ ln: 14 })
    const all = Array.from({ length: 30 }, () => hasher.verify('x', null))
    const results = await Promise.allSettled(all)
    // 2 are computed and 16 wait.
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(18)
    const refused = results.find(({ status }) => status === 'rejected')
    expect(refused).toMatchObject({ reason: { facts: { code: 'too_many_attempts' } } })
    expect(await hasher.verify('x', null)).toBe(false)
  })

  test('of somebody who is known is computed before those of strangers, however many wait', async () => {
    const hasher = new PasswordHasher({ ln: 14 })
    const order: string[] = []
    const strangers = Array.from({ length: 20 }, () =>
      hasher.verify('x', null).then(
        () => order.push('stranger'),
        () => {},
      ),
    )
    await hasher.verify('x', null, 'known').then(() => order.push('known'))
    expect(order.length).toBeLessThan(10)
    await Promise.all(strangers)
    expect(order).toHaveLength(19)
  })
})

test('a new password is judged on a thread that has the lists', async () => {
  const check = createStrengthCheck()
  await check('nine violet otters paddle', ['password'], [])
  for (const [password, reason] of [
    ['qwertyuiopasdfgh', 'guessable'],
    ['123456789012', 'common'],
  ] as const) {
    await expect(check(password, ['password'], [])).rejects.toMatchObject({
      facts: { code: 'password_weak', path: ['password'], reason },
    })
  }
})
