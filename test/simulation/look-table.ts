import { wilsonInterval, Z95 } from '../../src/server/rules/judging/judge.ts'
import { type Looked, lookedAt, WATCHES, type Watch } from './looks.ts'

/** Shares of devices that fail, of which 3% is the limit. */
const SHARES = [0, 0.003, 0.01, 0.02, 0.03, 0.05, 0.1]
/** Devices of the fleets. */
const FLEETS = [50, 500, 5_000, 50_000]
/** Seeds of one run do not overlap with those of the next. */
const RUN = 1_000_000

/** Prints a line for each fleet, share and way to watch. `only`: those of one fleet, and of one share. */
export function printLooks(
  rollouts: number,
  seed: number,
  only: { readonly devices?: number | undefined; readonly share?: number | undefined },
  print: (text: string) => void,
): void {
  print(`${rollouts} rollouts, seed ${seed}, a look after every event`)
  print(HEADER.map((name, index) => name.padEnd(WIDTHS[index] ?? 0)).join(''))
  for (const devices of only.devices === undefined ? FLEETS : [only.devices]) {
    for (const share of only.share === undefined ? SHARES : [only.share]) {
      for (const watch of WATCHES) {
        const looked = Array.from({ length: rollouts }, (_, index) =>
          lookedAt(seed * RUN + index, devices, share, watch),
        )
        print(line(devices, share, watch, looked))
      }
    }
  }
}

const HEADER = [
  'devices',
  'fail',
  'watch',
  'stopped (95%)',
  'held',
  'step 2 (95%)',
  'all',
  'hours',
  'harmed',
]
const WIDTHS = [9, 7, 9, 25, 8, 25, 9, 7, 6]

function line(devices: number, share: number, watch: Watch, looked: readonly Looked[]): string {
  const percent = (part: number) => `${((100 * part) / looked.length).toFixed(2)}%`
  const of = (is: (each: Looked) => boolean) => looked.filter(is).length
  const within = (part: number) => {
    const { low, high } = wilsonInterval(part, looked.length, Z95)
    return `${percent(part)} (${(100 * low).toFixed(2)}-${(100 * high).toFixed(2)})`
  }
  const hours = looked.flatMap(({ stoppedAt }) => stoppedAt ?? []).toSorted((a, b) => a - b)
  const harmed = looked.reduce((sum, each) => sum + each.harmed, 0)
  const all = looked.length * devices * share
  const cells = [
    ...[String(devices), `${share * 100}%`, watch],
    within(of(({ stoppedAt }) => stoppedAt !== null)),
    percent(of(({ isHeld }) => isHeld)),
    within(of(({ reached }) => reached > 10)),
    percent(of(({ reached }) => reached === 100)),
    hours.length === 0 ? '-' : String(Math.round(hours[hours.length >> 1] ?? 0)),
    all === 0 ? '-' : `${((100 * harmed) / all).toFixed(1)}%`,
  ]
  return cells.map((text, index) => text.padEnd(WIDTHS[index] ?? 0)).join('')
}
