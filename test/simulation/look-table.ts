import { wilsonInterval, Z95 } from '../../src/server/rules/judging/judge.ts'
import { type Looked, lookedAt, WATCHES, type Watch } from './looks.ts'

/** Shares of devices that fail, of which 3% is the limit. */
const SHARES = [0, 0.003, 0.01, 0.02, 0.03, 0.05, 0.1]
/** Devices of the fleets, and of how many rollouts one is simulated: large ones take as long as many small ones. */
const FLEETS = [
  [50, 1],
  [500, 1],
  [5_000, 10],
  [50_000, 200],
] as const
/** The same for what is beside the rules as shipped. */
const BESIDE = 10
/** Seeds of one run do not overlap with those of the next. */
const RUN = 1_000_000

/** Prints a line for each fleet, share and way to watch. */
export function printLooks(rollouts: number, seed: number, print: (text: string) => void): void {
  print(`${rollouts} rollouts, seed ${seed}, a look after every event`)
  print(
    'devices  fail   watch    rollouts  stopped (95%)        held    step 2  all     hours  harmed',
  )
  for (const [devices, times] of FLEETS) {
    for (const share of SHARES) {
      for (const watch of WATCHES) {
        const many = Math.ceil(rollouts / times / (watch === 'shipped' ? 1 : BESIDE))
        const looked = Array.from({ length: many }, (_, index) =>
          lookedAt(seed * RUN + index, devices, share, watch),
        )
        print(line(devices, share, watch, looked))
      }
    }
  }
}

function line(devices: number, share: number, watch: Watch, looked: readonly Looked[]): string {
  const partOf = (is: (each: Looked) => boolean) => looked.filter(is).length
  const percent = (count: number) => `${((100 * count) / looked.length).toFixed(2)}%`
  const stopped = partOf(({ stoppedAt }) => stoppedAt !== null)
  const { low, high } = wilsonInterval(stopped, looked.length, Z95)
  const hours = looked.flatMap(({ stoppedAt }) => stoppedAt ?? []).toSorted((a, b) => a - b)
  const harmed = looked.reduce((sum, each) => sum + each.harmed, 0)
  const all = looked.length * devices * share
  const cells: readonly (readonly [string, number])[] = [
    [String(devices), 9],
    [`${share * 100}%`, 7],
    [watch, 9],
    [String(looked.length), 10],
    [`${percent(stopped)} (${(100 * low).toFixed(2)}-${(100 * high).toFixed(2)})`, 21],
    [percent(partOf(({ isHeld }) => isHeld)), 8],
    [percent(partOf(({ reached }) => reached > 10)), 8],
    [percent(partOf(({ reached }) => reached === 100)), 8],
    [hours.length === 0 ? '-' : String(Math.round(hours[hours.length >> 1] ?? 0)), 7],
    [all === 0 ? '-' : percentOf(harmed, all), 6],
  ]
  return cells.map(([text, width]) => text.padEnd(width)).join('')
}

function percentOf(part: number, all: number): string {
  return `${((100 * part) / all).toFixed(0)}%`
}
