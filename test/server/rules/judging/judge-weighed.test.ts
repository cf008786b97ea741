// @module-tag long

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judge } from '../../../../src/server/rules/judging/judge.ts'
import { judgeWeighed, NO_TALLIES } from '../../../../src/server/rules/judging/judge-weighed.ts'
import type { NetworkTally, WeighedTallies } from '../../../../src/server/rules/judging/tallies.ts'
import { known, tallyOf } from './tallies.ts'

type Network = Pick<NetworkTally, 'waiting' | 'adopted' | 'stuck' | 'reverted' | 'reported'>

const LIMITS = { maxFailedPct: 3, minSample: 20 }
const REST = {
  accepted: null,
  control: null,
  gone: null,
  activity: null,
  limits: LIMITS,
  countsNew: false,
}
const isStopped = (tallies: WeighedTallies, previous: WeighedTallies | null) =>
  judgeWeighed({ ...REST, tallies, previous }).judgement.verdict === 'stop'

const devices = (max: number) => fc.nat({ max })
const failing = { stuck: devices(4), reverted: devices(4), reported: devices(8) }
const network = fc.record({ waiting: devices(10), adopted: devices(60), ...failing })
const healthy = fc.record({ waiting: devices(10), adopted: devices(60) })
const fleet = fc.array(network, { minLength: 1, maxLength: 12 })
/** What one network can have: at least one device, however many. */
const invented = fc.record({
  ...{ waiting: devices(9), adopted: devices(100_000), stuck: devices(9), reverted: devices(9) },
  reported: fc.integer({ min: 1, max: 100_000 }),
})
const sizes = (networks: readonly Network[]) =>
  networks.map((each) => ({ adopted: Object.values(each).reduce((sum, some) => sum + some, 0) }))

describe('offices', () => {
  // 14% of 50 devices and 20% of them, in one network, in two and in three.
  test.each([
    ['one', [{ adopted: 43, reported: 7 }], true],
    [
      'two',
      [
        { adopted: 32, reported: 8 },
        { adopted: 8, reported: 2 },
      ],
      true,
    ],
    [
      'two',
      [
        { adopted: 35, reported: 5 },
        { adopted: 8, reported: 2 },
      ],
      true,
    ],
    [
      'two',
      [
        { adopted: 34, reported: 6 },
        { adopted: 9, reported: 1 },
      ],
      false,
    ],
    ['two', [{ adopted: 33, reported: 7 }, { adopted: 10 }], false],
    [
      'three',
      [
        { adopted: 17, reported: 3 },
        { adopted: 17, reported: 3 },
        { adopted: 9, reported: 1 },
      ],
      true,
    ],
    [
      'three',
      [
        { adopted: 35, reported: 5 },
        { adopted: 4, reported: 1 },
        { adopted: 4, reported: 1 },
      ],
      true,
    ],
    [
      'three',
      [
        { adopted: 33, reported: 7 },
        { adopted: 3, reported: 2 },
        { adopted: 4, reported: 1 },
      ],
      true,
    ],
  ])('in %s network: %j', (_, networks, stops) => {
    const previous = known(
      networks.map(({ adopted, reported = 0 }: { adopted: number; reported?: number }) => ({
        adopted: adopted + reported,
      })),
    )
    expect(isStopped(known(networks), previous)).toBe(stops)
    // Beside one that is invented after the previous release, whatever its devices do.
    expect(isStopped(known([...networks, { adopted: 100_000 }]), previous)).toBe(stops)
    expect(isStopped(known([...networks, { adopted: 1 }]), previous)).toBe(stops)
  })
})

test('a device that fails in place of another outcome makes no stop less likely', () => {
  const change = fc.record({
    at: fc.nat(),
    from: fc.constantFrom('waiting', 'adopted'),
    to: fc.constantFrom('reverted', 'reported'),
  } as const)
  fc.assert(
    fc.property(fleet, fc.option(fleet), change, (networks, before, { at, from, to }) => {
      const changed = networks.map((each) => ({ ...each }))
      const one = changed[at % changed.length]
      fc.pre(one !== undefined && one[from] > 0)
      one[from] -= 1
      one[to] += 1
      const previous = before && known(sizes(before))
      fc.pre(isStopped(known(networks), previous))
      expect(isStopped(known(changed), previous)).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})

describe('one network', () => {
  test('of devices that are not known never decides', () => {
    fc.assert(
      fc.property(fleet, fc.option(fleet), invented, (networks, before, stranger) => {
        const previous = before && known(sizes(before))
        const fresh = tallyOf([{ network: 200, ...stranger }])
        expect(isStopped({ ...known(networks), fresh }, previous)).toBe(
          isStopped(known(networks), previous),
        )
      }),
    )
  })

  test('of known devices stops no release that works, whatever came before', () => {
    fc.assert(
      fc.property(fc.array(healthy, { maxLength: 12 }), invented, (networks, stranger) => {
        const [one, other] = [known(networks), known([...networks, { network: 200, ...stranger }])]
        const size = sizes(
          networks.map((each) => ({ ...each, stuck: 0, reverted: 0, reported: 0 })),
        )
        for (const previous of [null, known(size)]) {
          expect(isStopped(one, previous)).toBe(false)
          expect(isStopped(other, previous)).toBe(false)
        }
      }),
    )
  })

  test('hides no failure that was there without it', () => {
    fc.assert(
      fc.property(fleet, fc.integer({ min: 1, max: 100_000 }), (networks, adopted) => {
        const previous = known(sizes(networks))
        fc.pre(isStopped(known(networks), previous))
        const hidden = known([...networks, { network: 200, adopted }])
        expect(isStopped(hidden, previous)).toBe(true)
      }),
      {
        numRuns: 500,
        // Stopped without the third network, which is the larger part only without the invented one.
        examples: [
          [
            [
              { waiting: 0, adopted: 0, stuck: 1, reverted: 2, reported: 6 },
              { waiting: 1, adopted: 8, stuck: 0, reverted: 2, reported: 1 },
              { waiting: 0, adopted: 24, stuck: 0, reverted: 0, reported: 0 },
            ],
            6,
          ],
        ],
      },
    )
  })
})

test('a fleet behind one address counts whole', () => {
  fc.assert(
    fc.property(network, fc.array(healthy, { maxLength: 4 }), (office, homes) => {
      const [size] = sizes([office])
      fc.pre((size?.adopted ?? 0) >= 5)
      const { networks: _, ...observed } = tallyOf([office])
      const { health } = observed
      const plain = judge({
        ...REST,
        observed,
        previous: {
          ...observed,
          health: { ...health, ...NO_TALLIES.known.health, adopted: size?.adopted ?? 0 },
        },
      })
      const previous = known([...sizes([office]), ...homes.map(() => ({ adopted: 1 }))])
      const { judgement, observed: counted } = judgeWeighed({
        ...REST,
        tallies: known([office, ...homes]),
        previous,
      })
      expect(judgement.verdict).toBe(plain.verdict)
      expect(counted.health).toEqual(health)
    }),
  )
})

test('one network does not have steps wait, several do', () => {
  const others = Array.from({ length: 20 }, () => ({ adopted: 5 }))
  const verdict = (networks: readonly Partial<Network>[]) => {
    const previous = known([...others, ...networks.map(() => ({ adopted: 5 }))])
    return judgeWeighed({ ...REST, tallies: known([...others, ...networks]), previous }).judgement
      .verdict
  }
  expect(verdict([{ reported: 9 }])).toBe('fine')
  expect(verdict([{ reported: 3 }, { reported: 3 }, { reported: 3 }])).toBe('suspected')
})
