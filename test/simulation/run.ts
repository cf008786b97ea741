/** Measures the automatic stop on simulated rollouts: `npm run simulate -- --rollouts 1000 --seed 1`. */
import { parseArgs } from 'node:util'
import { FAULTS } from './device.ts'
import { JUDGE_NAMES, type Outcome, outcomeOf, type Summary, summarize } from './measure.ts'

/** Shares of devices that a release breaks. */
const SHARES = [0, 0.02, 0.05, 0.1, 0.2]
/** Seeds of one run do not overlap with those of the next. */
const RUN = 1_000_000

const { values } = parseArgs({
  options: {
    rollouts: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    share: { type: 'string' },
  },
})
const rollouts = Number(values.rollouts)
const seed = Number(values.seed)
if (!Number.isInteger(rollouts) || rollouts < 1 || !Number.isInteger(seed)) {
  throw new Error('--rollouts and --seed must be whole numbers')
}

print(`${rollouts} rollouts of each kind, seed ${seed}`)
for (const share of values.share === undefined ? SHARES : [Number(values.share)]) {
  const outcomes = Array.from({ length: rollouts }, (_, i) => outcomeOf(seed * RUN + i, share))
  print(share === 0 ? '\nHealthy' : `\n${share * 100}% of devices broken`)
  for (const name of JUDGE_NAMES) {
    print(line(name, summarize(outcomes, name)))
    if (share > 0) for (const kind of [...FAULTS, 'mixture']) printKind(outcomes, kind, name)
  }
}

function printKind(outcomes: readonly Outcome[], kind: string, name: (typeof JUDGE_NAMES)[number]) {
  const those = outcomes.filter(({ breaks }) => breaks === kind)
  if (those.length > 0) print(line(`  ${kind}`, summarize(those, name)))
}

function line(name: string, { rollouts, stopped, hours, harmed, harmedBySchedule }: Summary) {
  const share = `${((100 * stopped) / rollouts).toFixed(1)}% stopped`.padStart(15)
  const after = hours === null ? '' : ` after ${hours} h (median)`
  const of = `${harmed} of ${harmedBySchedule}`
  const devices = harmedBySchedule === 0 ? '' : `, ${of} devices harmed`
  return `${name.padEnd(26)}${share}${after}${devices}`
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
