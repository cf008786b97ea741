import { describe, expect, onTestFinished, test } from 'vitest'
import type { Counted } from '../../../src/server/people/sign-in/attempts.ts'
import { changeEntry, type SignInState } from '../../../src/server/people/sign-in/sign-in-state.ts'

/** The state of one storage, as two servers have it. */
export interface StateUnderTest {
  readonly one: SignInState
  readonly other: SignInState
  readonly close: () => Promise<void>
}

const HOUR = 3_600_000
/** Refills so slowly that nothing of it is seen in a test. */
const LIMIT = { name: 'test', capacity: 10, period: 24 * HOUR }
const TIGHT = { name: 'tight', capacity: 2, period: 24 * HOUR }

const entry = (value: string, time = HOUR) => ({ value, owner: 'mia', time })

/** What every implementation promises. */
export function signInStateContract(what: string, open: () => Promise<StateUnderTest>): void {
  async function opened() {
    const state = await open()
    onTestFinished(state.close)
    return state
  }

  describe(what, () => {
    test('has one key, whoever asks first', async () => {
      const { one, other } = await opened()
      const [key, same] = await Promise.all([one.sealingKey(), other.sealingKey()])
      expect(key).toEqual(same)
      expect(key).toHaveLength(32)
      expect(await one.sealingKey()).toEqual(key)
    })

    test('keeps an entry once, until it is removed or over', async () => {
      const { one, other } = await opened()
      const names = Array.from({ length: 20 }, (_, n) => `name ${n}`)
      const added = await Promise.all(
        names.flatMap((name) => [
          one.entries.add(name, entry('a')),
          other.entries.add(name, entry('b')),
        ]),
      )
      expect(added.filter(Boolean)).toHaveLength(20)
      expect(await other.entries.get('name 0')).toBe(added[0] ? 'a' : 'b')
      await other.entries.remove('name 0')
      expect(await one.entries.get('name 0')).toBeUndefined()
      expect(await one.entries.add('name 0', entry('c', 0))).toBe(true)
      expect(await other.entries.get('name 0')).toBeUndefined()
      expect(await other.entries.replace('name 0', 'c', 'd', HOUR)).toBe(false)
      expect(await other.entries.add('name 0', entry('e'))).toBe(true)
      expect(await one.entries.get('name 0')).toBe('e')
    })

    test('changes an entry only if it is as expected, and loses no change', async () => {
      const { one, other } = await opened()
      await one.entries.add('count', entry('0'))
      expect(await other.entries.replace('count', '1', '2')).toBe(false)
      const results = await Promise.all(
        [one, other, one, other, one, other].map(({ entries }) =>
          changeEntry(entries, 'count', (value) => ({ value: String(Number(value) + 1) })),
        ),
      )
      expect(results.toSorted()).toEqual(['1', '2', '3', '4', '5', '6'])
      expect(await one.entries.replace('count', '6', '7', 0)).toBe(true)
      expect(await other.entries.get('count')).toBeUndefined()
      const none = await changeEntry(other.entries, 'none', () => ({ value: 'x' }))
      expect(none).toBeUndefined()
    })

    test('drops what ends first of an owner who has too many, and nothing of others', async () => {
      const { one, other } = await opened()
      await other.entries.add('theirs', { value: 'x', owner: 'noah', time: 1_000 })
      for (const n of [1, 2, 3, 4, 5]) {
        const state = n % 2 === 0 ? one : other
        await state.entries.add(`own ${n}`, { ...entry('x', n * HOUR), maximum: 2 })
      }
      const names = ['theirs', 'own 1', 'own 2', 'own 3', 'own 4', 'own 5']
      const kept = await Promise.all(names.map((name) => one.entries.get(name)))
      expect(kept.map((value) => value !== undefined)).toEqual([
        ...[true, false, false, false, true, true],
      ])
      const { count, endsIn } = await other.entries.held('mia')
      expect(count).toBe(2)
      expect(endsIn).toBeGreaterThan(3 * HOUR)
      expect(endsIn).toBeLessThanOrEqual(4 * HOUR)
      expect(await other.entries.held('eve')).toEqual({ count: 0, endsIn: 0 })
    })

    test('counts attempts together, exactly', async () => {
      const { one, other } = await opened()
      const counted = [{ limit: LIMIT, key: 'mia' }]
      const taken = await Promise.all(
        Array.from({ length: 30 }, (_, n) => (n % 2 === 0 ? one : other).attempts.take(counted)),
      )
      expect(taken.filter((retry) => retry === 0)).toHaveLength(10)
      const retry = await other.attempts.take(counted)
      expect(retry).toBeGreaterThan(8_000)
      expect(retry).toBeLessThanOrEqual(8_640)
      await one.attempts.giveBack(counted)
      expect(await other.attempts.take(counted)).toBe(0)
      expect(await one.attempts.take(counted)).toBeGreaterThan(0)
      expect(await one.attempts.take([{ limit: LIMIT, key: 'noah' }])).toBe(0)
    })

    test('counts an attempt against all limits or none', async () => {
      const { one, other } = await opened()
      const both: Counted[] = [
        { limit: LIMIT, key: 'mia' },
        { limit: TIGHT, key: 'mia' },
      ]
      const taken = await Promise.all(
        Array.from({ length: 20 }, (_, n) => {
          const order = n % 4 < 2 ? both : both.toReversed()
          return (n % 2 === 0 ? one : other).attempts.take(order)
        }),
      )
      expect(taken.filter((retry) => retry === 0)).toHaveLength(2)
      const left = await Promise.all(
        both
          .slice(0, 1)
          .flatMap((only) => Array(10).fill(only))
          .map((only) => one.attempts.take([only])),
      )
      expect(left.filter((retry) => retry === 0)).toHaveLength(8)
    })
  })
}
