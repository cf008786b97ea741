import { describe, expect, test } from 'vitest'
import type { NetworkTally } from '../../../../src/server/rules/judging/tallies.ts'
import { countedEvidence } from '../../../../src/server/rules/judging/weighed.ts'
import { tallyOf } from './tallies.ts'

const HOMES = Array.from({ length: 20 }, () => ({ adopted: 2 }))

/** What counts of devices, beside those of the previous release. */
const counted = (
  networks: readonly Partial<NetworkTally>[],
  previous: readonly Partial<NetworkTally>[] = [],
  { silent = 0, keyed = tallyOf([]) } = {},
) => countedEvidence({ tallies: [tallyOf(networks, silent)], previous: [tallyOf(previous)], keyed })

describe('a network', () => {
  test('counts for at most five devices beside homes with two each, in proportion', () => {
    const { observed, networks } = counted([...HOMES, { adopted: 60, stuck: 40 }])
    expect(observed.health).toMatchObject({ offered: 45, adopted: 43, stuck: 2 })
    expect(networks).toEqual({ offered: 21, failed: 1 })
  })

  test('counts for as many as the median network has', () => {
    const offices = [{ adopted: 20 }, { adopted: 30 }, { adopted: 40 }, { reported: 500 }]
    expect(counted(offices).observed.health).toMatchObject({ adopted: 80, reported: 30 })
  })

  test('has no limit beside one or two others, of which the smallest would limit all', () => {
    const offices = [{ adopted: 36, reported: 4 }, { adopted: 10 }, { adopted: 1 }]
    for (const networks of [offices, offices.slice(0, 2)]) {
      expect(counted(networks).observed.health).toMatchObject({ reported: 4 })
    }
  })

  test('is left out where it may decide', () => {
    const all = counted([...HOMES, { reported: 5 }, { adopted: 5 }], HOMES)
    expect(all.withoutFailing().map(({ health }) => health)).toMatchObject([
      { adopted: 45, reported: 0 },
    ])
    expect(all.withoutMost.health).toMatchObject({ adopted: 40, reported: 5 })
  })

  test('does not exist for one of the views on failures if it has grown', () => {
    const grown = [...counted([...HOMES, { reported: 5 }, { adopted: 900 }], HOMES).withoutHiding()]
    expect(grown.map(({ observed }) => observed.health)).toMatchObject([
      { adopted: 45, reported: 0 },
      // And without what has more devices than all others left.
      { adopted: 40, reported: 0 },
      { adopted: 40, reported: 5 },
    ])
  })

  test('does not exist for one of the views if it has more devices than all others', () => {
    const offices = [{ adopted: 100 }, { adopted: 40, reported: 10 }, { adopted: 9 }]
    const before = [{ adopted: 100 }, { adopted: 50 }, { adopted: 9 }]
    const views = [...counted(offices, before).withoutHiding()]
    expect(views.map(({ observed }) => observed.health)).toMatchObject([
      { adopted: 49, reported: 10 },
    ])
  })

  test('does not count silent devices above its limit', () => {
    const { observed, withoutFailing } = counted([...HOMES, { waiting: 500 }], [], { silent: 500 })
    expect(observed.health).toMatchObject({ adopted: 40, silent: 5, waiting: 0 })
    expect(withoutFailing().at(-1)?.health).toMatchObject({ adopted: 40, silent: 0 })
  })
})

describe('an office', () => {
  const office = { adopted: 80, reported: 20 }
  const whole = { adopted: 80, reported: 20 }

  test('has no limit, and no other network counts beside it', () => {
    const alone = counted([office], [{ adopted: 100 }])
    const joined = counted([office, { adopted: 900 }], [{ adopted: 100 }, { adopted: 4 }])
    for (const { observed, withoutMost, withoutFailing, withoutHiding } of [alone, joined]) {
      expect(observed.health).toMatchObject(whole)
      expect(withoutMost.health).toMatchObject(whole)
      expect([...withoutFailing(), ...withoutHiding()]).toEqual([])
    }
  })

  test('is the one that nearly all devices of the previous release were in, and no other', () => {
    const limit = { adopted: 4, reported: 1 }
    expect(counted([office]).observed.health).toMatchObject(limit)
    const elsewhere = Array.from({ length: 5 }, () => ({ adopted: 1 }))
    const homes = [{ adopted: 100 }, ...elsewhere]
    expect(counted([office], homes).observed.health).toMatchObject(limit)
    expect(counted([{ network: 2, ...office }], [{ adopted: 100 }]).observed.health).toMatchObject(
      limit,
    )
  })
})

test('devices that a key vouches for count without a limit', () => {
  const keyed = tallyOf([{ network: 0, adopted: 900, reported: 100 }])
  const { observed, withoutFailing } = counted([{ reported: 50 }], [], { keyed })
  expect(observed.health).toMatchObject({ adopted: 900, reported: 105 })
  expect(withoutFailing().map(({ health }) => health)).toMatchObject([
    { adopted: 900, reported: 100 },
  ])
})
