import { describe, expect, test } from 'vitest'
import type { People } from '../../../../src/server/people/people.ts'
import {
  AWAY,
  HOME,
  join,
  OTHER_PASSWORD,
  openPeople,
  PASSWORD,
  ROOT,
  setUp,
  signIn,
} from '../../../support/builders/people.ts'

const FAILED = { facts: { code: 'sign_in_failed' } }

describe('a sign-in with a password', () => {
  test.each(['mia', 'MIA', ' mia '])('takes the name as %j', async (name) => {
    const { people, audit } = await openPeople()
    await setUp(people)
    const { token, session } = await signIn(people, name, PASSWORD, AWAY)
    expect(people.find(token)).toEqual(session)
    expect(session).toMatchObject({ account: { name: 'mia' }, ...AWAY })
    expect((await audit())[0]).toMatchObject({
      action: 'session.started',
      actor: { kind: 'person', name: 'mia', address: AWAY.address },
    })
  })

  test('takes a password however its characters are composed', async () => {
    const { people } = await openPeople()
    const { token } = await people.createSetupLink()
    const password = 'crème-brûlée-ascenseur'
    await people.acceptLink(token, { name: 'mia', password: password.normalize('NFC') }, HOME)
    await signIn(people, 'mia', password.normalize('NFD'))
  })

  test('is refused alike for a wrong password, an unknown name and a disabled account', async () => {
    const { people } = await openPeople()
    await setUp(people)
    const { session } = await join(people, 'noah')
    await people.setDisabled(ROOT, session.account.id, true)
    for (const [name, password] of [
      ['mia', 'wrong'],
      ['mia', ''],
      ['mia', 'x'.repeat(1_000_000)],
      ['eve', PASSWORD],
      ['x'.repeat(1_000_000), PASSWORD],
      ['', PASSWORD],
      ['noah', PASSWORD],
      ['noah', 'wrong'],
    ] as const) {
      await expect(signIn(people, name, password)).rejects.toMatchObject(FAILED)
    }
  })

  test('keeps only a part of an address and a browser name that are too long', async () => {
    const { people } = await openPeople()
    await setUp(people)
    const caller = { address: '9'.repeat(10_000), userAgent: `a\u0000${'b'.repeat(10_000)}` }
    const { session } = await signIn(people, 'mia', PASSWORD, caller)
    expect(session.address).toHaveLength(64)
    expect(session.userAgent).toBe(`a⟨U+0000⟩${'b'.repeat(247)}`)
  })
})

describe('attempts', () => {
  async function fail(people: People, times: number, name: string, address: string) {
    for (let time = 0; time < times; time += 1) {
      await expect(signIn(people, name, 'wrong', { ...AWAY, address })).rejects.toMatchObject(
        FAILED,
      )
    }
  }

  const refused = (retrySeconds: number) => ({
    facts: { code: 'too_many_attempts', retrySeconds },
    kind: 'limited',
  })

  test('from one address on one account are limited, and known again after a while', async () => {
    const { people, time } = await openPeople()
    await setUp(people)
    await fail(people, 10, 'mia', AWAY.address)
    await expect(signIn(people, 'mia', PASSWORD, AWAY)).rejects.toMatchObject(refused(90))
    // Neither another account nor another address is concerned.
    await fail(people, 1, 'noah', AWAY.address)
    await signIn(people, 'mia', PASSWORD, HOME)
    time.now += 90_000
    await signIn(people, 'mia', PASSWORD, AWAY)
  })

  test('on a name without an account are limited alike', async () => {
    const { people } = await openPeople()
    await setUp(people)
    await fail(people, 10, 'eve', AWAY.address)
    await expect(signIn(people, 'EVE', 'wrong', AWAY)).rejects.toMatchObject(refused(90))
  })

  test('from one address on many accounts are limited', async () => {
    const { people } = await openPeople()
    for (let name = 0; name < 100; name += 1) await fail(people, 1, `name-${name}`, AWAY.address)
    await expect(signIn(people, 'another', 'wrong', AWAY)).rejects.toMatchObject(refused(9))
  })

  test.each([
    ['/56', 200, (n: number) => `2001:db8:1:${n.toString(16)}::1`],
    ['/48', 400, (n: number) => `2001:db8:1:${n.toString(16)}00::1`],
  ])('from an IPv6 %s are limited, from however many of its addresses', async (_, most, from) => {
    const { people } = await openPeople()
    for (let n = 0; n < most; n += 1) await fail(people, 1, `name-${n}`, from(n % 256))
    const another = { ...AWAY, address: from(200) }
    await expect(signIn(people, 'another', 'wrong', another)).rejects.toMatchObject({
      facts: { code: 'too_many_attempts' },
    })
    await fail(people, 1, 'another', '2001:db8:2:200::1')
  })

  test('that were not compared because too many wait do not count', async () => {
    const { people } = await openPeople()
    await setUp(people)
    for (let round = 0; round < 12; round += 1) {
      const others = Array.from({ length: 20 }, (_, n) =>
        signIn(people, `name-${n}`, 'wrong', { ...AWAY, address: `203.0.${round}.${n}` }),
      )
      const own = signIn(people, 'eve', 'wrong', AWAY)
      const results = await Promise.allSettled([...others, own])
      expect(results.at(-1)).toMatchObject({ reason: { facts: { code: 'sign_in_busy' } } })
    }
    await fail(people, 10, 'eve', AWAY.address)
  })

  test('by strangers cannot lock out who has signed in from an address before', async () => {
    const { people } = await openPeople()
    await setUp(people)
    for (let host = 0; host < 5; host += 1) await fail(people, 10, 'mia', `203.0.113.${host}`)
    const stranger = { ...AWAY, address: '203.0.113.200' }
    await expect(signIn(people, 'mia', PASSWORD, stranger)).rejects.toMatchObject(refused(72))
    await signIn(people, 'mia', PASSWORD, HOME)
  })

  test('from many networks keep a new browser waiting for at most 72 seconds after the last one', async () => {
    const { people, time } = await openPeople()
    await setUp(people)
    const attempt = (n: number) => {
      const address = `2001:db8:${(n % 0xff_ff).toString(16)}::1`
      return signIn(people, 'mia', 'wrong', { ...AWAY, address })
    }
    // Two hours in which every attempt that is allowed is used up at once.
    for (let n = 0; n < 150; n += 1) {
      if (n >= 50) time.now += 72_000
      await expect(attempt(n)).rejects.toMatchObject(FAILED)
    }
    await expect(signIn(people, 'mia', PASSWORD, AWAY)).rejects.toMatchObject(refused(72))
    time.now += 72_000
    await signIn(people, 'mia', PASSWORD, AWAY)
  })

  test('by others at the same address cannot delay who has signed in with this browser', async () => {
    const { people } = await openPeople()
    await setUp(people)
    const { browser } = await signIn(people, 'mia', PASSWORD, AWAY)
    const own = { ...AWAY, browser: browser ?? undefined }
    await fail(people, 10, 'mia', AWAY.address)
    for (let name = 0; name < 100; name += 1) await fail(people, 1, `name-${name}`, AWAY.address)
    await expect(signIn(people, 'mia', PASSWORD, AWAY)).rejects.toMatchObject(refused(90))
    await signIn(people, 'mia', PASSWORD, own)

    // The browser has a limit of its own, and is no key to other accounts.
    await join(people, 'noah')
    await expect(signIn(people, 'noah', PASSWORD, own)).rejects.toMatchObject(refused(9))
    for (let time = 0; time < 10; time += 1) {
      await expect(signIn(people, 'mia', 'wrong', own)).rejects.toMatchObject(FAILED)
    }
    await expect(signIn(people, 'mia', PASSWORD, own)).rejects.toMatchObject(refused(90))
    // Elsewhere it is as if nobody had tried.
    await signIn(people, 'mia', PASSWORD, HOME)
  })

  test('count against strangers where a browser only claims to be known', async () => {
    const { people } = await openPeople()
    const { browser } = await setUp(people)
    const [id = '', tag = ''] = browser?.split('.') ?? []
    const reversed = [...tag].reverse().join('')
    const other = await join(people, 'noah')
    for (const forged of [
      'x',
      id,
      `${id}.${reversed}`,
      `${reversed}.${tag}`,
      other.browser ?? '',
    ]) {
      const claims = { ...AWAY, browser: forged }
      await expect(signIn(people, 'mia', 'wrong', claims)).rejects.toMatchObject(FAILED)
    }
    await fail(people, 5, 'mia', AWAY.address)
    const claims = { ...AWAY, browser: `${id}.${reversed}` }
    await expect(signIn(people, 'mia', PASSWORD, claims)).rejects.toMatchObject(refused(90))
  })

  test('from a known browser count as those of a stranger once the password has changed', async () => {
    const { people } = await openPeople()
    const { session, browser } = await setUp(people)
    const before = { ...AWAY, browser: browser ?? undefined }
    const passwords = { current: PASSWORD, next: OTHER_PASSWORD }
    const changed = await people.own.changePassword(session, passwords, before)
    await fail(people, 10, 'mia', AWAY.address)
    await expect(signIn(people, 'mia', OTHER_PASSWORD, before)).rejects.toMatchObject(refused(90))
    const after = { ...AWAY, browser: changed.browser ?? undefined }
    await signIn(people, 'mia', OTHER_PASSWORD, after)
  })

  test('are known for the last five accounts of a browser', async () => {
    const { people } = await openPeople()
    let mark = (await setUp(people)).browser ?? undefined
    for (const name of ['a-1', 'a-2', 'a-3', 'a-4', 'a-5', 'a-5']) {
      const caller = { ...HOME, browser: mark }
      if (people.list().some((account) => account.name === name)) {
        mark = (await signIn(people, name, PASSWORD, caller)).browser ?? undefined
      } else mark = (await join(people, name, 'viewer', caller)).browser ?? undefined
    }
    expect(mark?.split('.')).toHaveLength(6)
    const stranger = { ...AWAY, browser: mark }
    for (const name of ['a-1', 'a-5', 'mia']) await fail(people, 10, name, AWAY.address)
    await signIn(people, 'a-1', PASSWORD, stranger)
    await signIn(people, 'a-5', PASSWORD, stranger)
    await expect(signIn(people, 'mia', PASSWORD, stranger)).rejects.toMatchObject(refused(90))
  })

  test('that succeed do not count', async () => {
    const { people } = await openPeople()
    await setUp(people)
    for (let time = 0; time < 12; time += 1) await signIn(people, 'mia', PASSWORD, AWAY)
  })
})
