import { describe, expect, test } from 'vitest'
import {
  countedEvidence,
  type NetworkTally,
  type WeighedTally,
} from '../../../src/server/judging/weighed.ts'
import { NO_HEALTH } from '../../../src/shared/health.ts'

const NOTHING = {
  ...{ waiting: 0, adopted: 0, stuck: 0, reverted: 0, reported: 0, recovered: 0, slow: 0 },
}

/** Devices of these networks; `silent` of those that wait. */
function tallyOf(networks: readonly Partial<NetworkTally>[], silent = 0): WeighedTally {
  const all = networks.map((each, at): NetworkTally => {
    return { network: at + 1, ...NOTHING, ...each }
  })
  const sum = (state: keyof typeof NOTHING) => all.reduce((total, each) => total + each[state], 0)
  const health = {
    ...{ ...NO_HEALTH, waiting: sum('waiting') - silent, silent, adopted: sum('adopted') },
    ...{ stuck: sum('stuck'), reverted: sum('reverted'), reported: sum('reported') },
  }
  const offered = Object.values(health).reduce((total, devices) => total + devices, 0)
  const rest = { recovered: sum('recovered'), slow: sum('slow') }
  return { health: { ...health, offered }, ...rest, networks: all }
}

const HOMES = Array.from({ length: 20 }, () => ({ adopted: 2 }))

describe('a network', () => {
  test('counts for at most five devices beside homes with two each, in proportion', () => {
    const { observed, networks } = countedEvidence([
      tallyOf([...HOMES, { adopted: 60, stuck: 40 }]),
    ])
    expect(observed.health).toMatchObject({ offered: 45, adopted: 43, stuck: 2 })
    expect(networks).toEqual({ offered: 21, failed: 1 })
  })

  test('counts for as many as the median network has', () => {
    const offices = [{ adopted: 30 }, { adopted: 40 }, { reported: 500 }]
    expect(countedEvidence([tallyOf(offices)]).observed.health).toMatchObject({
      ...{ adopted: 70, reported: 40 },
    })
  })

  test('is left out where it may decide', () => {
    const counted = countedEvidence([tallyOf([...HOMES, { reported: 5 }, { adopted: 5 }])])
    expect(counted.withoutWorst.health).toMatchObject({ adopted: 45, reported: 0 })
    expect(counted.withoutBest.health).toMatchObject({ adopted: 40, reported: 5 })
    expect(counted.withoutBoth.health).toMatchObject({ adopted: 40, reported: 0 })
  })

  test('does not count silent devices above its limit', () => {
    const { observed, withoutWorst } = countedEvidence([tallyOf([...HOMES, { waiting: 500 }], 500)])
    expect(observed.health).toMatchObject({ adopted: 40, silent: 5, waiting: 0 })
    expect(withoutWorst.health).toMatchObject({ adopted: 40, silent: 0 })
  })

  test('has no limit if it is the only one, else it has', () => {
    const office = { adopted: 80, reported: 20 }
    const alone = countedEvidence([tallyOf([office])])
    for (const { health } of [alone.observed, alone.withoutWorst, alone.withoutBest]) {
      expect(health).toMatchObject({ adopted: 80, reported: 20 })
    }
    const two = countedEvidence([tallyOf([office, { adopted: 1 }])])
    expect(two.observed.health).toMatchObject({ adopted: 5, reported: 1 })
    expect(two.withoutWorst.health).toMatchObject({ adopted: 1, reported: 0 })
  })
})

test('devices that a key vouches for count without a limit', () => {
  const keyed = tallyOf([{ network: 0, adopted: 900, reported: 100 }])
  const { observed, withoutWorst } = countedEvidence([tallyOf([{ reported: 50 }])], keyed)
  expect(observed.health).toMatchObject({ adopted: 900, reported: 105 })
  expect(withoutWorst.health).toMatchObject({ adopted: 900, reported: 100 })
})
