import { NO_TALLIES } from '../../../../src/server/rules/judging/judge-weighed.ts'
import type {
  NetworkTally,
  WeighedTallies,
  WeighedTally,
} from '../../../../src/server/rules/judging/tallies.ts'
import { NO_HEALTH } from '../../../../src/shared/health/health.ts'

const NOTHING = {
  ...{ waiting: 0, adopted: 0, stuck: 0, reverted: 0, reported: 0, recovered: 0, slow: 0 },
}

/** Devices of these networks, numbered from 1; `silent` and `late` of those that wait. */
export function tallyOf(
  networks: readonly Partial<NetworkTally>[],
  silent = 0,
  late = 0,
): WeighedTally {
  const all = networks.map((each, at): NetworkTally => {
    return { network: at + 1, ...NOTHING, ...each }
  })
  const sum = (state: keyof typeof NOTHING) => all.reduce((total, each) => total + each[state], 0)
  const health = {
    ...{ ...NO_HEALTH, waiting: sum('waiting') - silent, silent, adopted: sum('adopted') },
    ...{ stuck: sum('stuck'), reverted: sum('reverted'), reported: sum('reported') },
  }
  const offered = Object.values(health).reduce((total, devices) => total + devices, 0)
  const rest = { recovered: sum('recovered'), slow: sum('slow'), late }
  return { health: { ...health, offered }, ...rest, networks: all }
}

/** The same, all known. */
export function known(networks: readonly Partial<NetworkTally>[]): WeighedTallies {
  return { ...NO_TALLIES, known: tallyOf(networks) }
}
