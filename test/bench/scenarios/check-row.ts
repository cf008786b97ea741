import type { LoadResult } from '../load/drive.ts'
import { median, medianOf } from '../output/median.ts'
import type { Cell, Column } from '../output/table.ts'
import { AIMS } from './aims.ts'

/** The rounds of one case of update checks, alternating between the two servers. */
export interface CheckRounds {
  readonly case: string
  readonly devices: number
  readonly releases: number
  readonly server: LoadResult[]
  readonly bare: LoadResult[]
}

export const CHECK_COLUMNS: readonly Column[] = [
  { name: 'answer' },
  { name: 'devices' },
  { name: 'releases' },
  { name: 'req/s' },
  { name: 'bare req/s' },
  { name: 'ratio', decimals: 2 },
  { name: 'CPU ratio', decimals: 2 },
  { name: 'of aim', decimals: 2 },
  { name: 'p50 ms', decimals: 2 },
  { name: 'p99 ms', decimals: 2 },
  { name: 'bare p50', decimals: 2 },
  { name: 'bare p99', decimals: 2 },
  { name: 'srv CPU', percent: true },
  { name: 'main', percent: true },
  { name: 'bare CPU', percent: true },
  { name: 'client', percent: true },
  { name: 'others', percent: true },
]

/**
 * The medians of a case. Ratios are medians of the ratios of neighbouring rounds: of requests per
 * second, and of requests per second of processor time, which other processes disturb less. `aim`: the ratio to reach.
 */
export function checkRow(
  { server, bare, ...of }: CheckRounds,
  aim: number = AIMS.checkRatio,
): Record<string, Cell> {
  const perCpu = (round: LoadResult | undefined) =>
    round ? round.perSecond / round.serverCpu : Number.NaN
  const ratio = median(server.map((round, i) => round.perSecond / (bare[i]?.perSecond ?? 0)))
  return {
    answer: of.case,
    devices: of.devices,
    releases: of.releases,
    'req/s': medianOf(server, (round) => round.perSecond),
    'bare req/s': medianOf(bare, (round) => round.perSecond),
    ratio,
    'CPU ratio': median(server.map((round, i) => perCpu(round) / perCpu(bare[i]))),
    'of aim': ratio / aim,
    'p50 ms': medianOf(server, (round) => round.p50),
    'p99 ms': medianOf(server, (round) => round.p99),
    'bare p50': medianOf(bare, (round) => round.p50),
    'bare p99': medianOf(bare, (round) => round.p99),
    'srv CPU': medianOf(server, (round) => round.serverCpu),
    main: medianOf(server, (round) => round.serverMainCpu),
    'bare CPU': medianOf(bare, (round) => round.serverCpu),
    client: medianOf([...server, ...bare], (round) => round.clientCpu),
    others: medianOf([...server, ...bare], (round) => round.othersCpu),
  }
}
