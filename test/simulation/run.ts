/**
 * Measures the automatic stop on simulated rollouts: `npm run simulate -- --rollouts 1000 --seed 1`; with the argument
 * `attackers`, beside somebody who invents devices.
 */
import { parseArgs } from 'node:util'
import { type Aim, ATTACKS, attackedBy, type Rule } from './attackers.ts'
import { FAULTS } from './device.ts'
import { JUDGE_NAMES, type Outcome, outcomeOf, type Summary, summarize } from './measure.ts'

/** Shares of devices that a release breaks. */
const SHARES = [0, 0.02, 0.05, 0.1, 0.2]
/** Seeds of one run do not overlap with those of the next. */
const RUN = 1_000_000

/** Devices of the fleets that are attacked. */
const FLEETS = [50, 500, 5_000, 50_000]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rollouts: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    share: { type: 'string' },
    devices: { type: 'string' },
  },
})
const isAttacked = positionals[0] === 'attackers'
const rollouts = Number(values.rollouts)
const seed = Number(values.seed)
if (!Number.isInteger(rollouts) || rollouts < 1 || !Number.isInteger(seed)) {
  throw new Error('--rollouts and --seed must be whole numbers')
}

print(`${rollouts} rollouts of each kind, seed ${seed}`)
if (isAttacked) printAttacks()
else
  for (const share of values.share === undefined ? SHARES : [Number(values.share)]) {
    const outcomes = Array.from({ length: rollouts }, (_, i) => outcomeOf(seed * RUN + i, share))
    print(share === 0 ? '\nHealthy' : `\n${share * 100}% of devices broken`)
    for (const name of JUDGE_NAMES) {
      print(line(name, summarize(outcomes, name)))
      if (share > 0) for (const kind of [...FAULTS, 'mixture']) printKind(outcomes, kind, name)
    }
  }

/** One line for each fleet and attack: how many of the rollouts it changed. */
function printAttacks(): void {
  const rules: readonly Rule[] = ['before', 'now']
  const aims: readonly Aim[] = ['cause', 'prevent']
  print('devices  networks  per hour  made        caused before / now  prevented before / now')
  for (const devices of values.devices === undefined ? FLEETS : [Number(values.devices)]) {
    const changed = aims.flatMap((aim) => rules.map((rule) => changedBy(devices, aim, rule)))
    for (const [index, { networks, perHour, ahead }] of ATTACKS.entries()) {
      const made = ahead === 0 ? 'then' : 'days ahead'
      const numbers = changed.map((each) => each[index] ?? '')
      const cells = [String(devices), String(networks), String(perHour), made, ...numbers]
      print(cells.map((cell) => cell.padEnd(12)).join(''))
    }
  }
}

function changedBy(devices: number, aim: Aim, rule: Rule): string[] {
  const results = Array.from({ length: rollouts }, (_, i) =>
    attackedBy(seed * RUN + i, devices, aim, rule),
  )
  // What is stopped without attackers cannot be caused by them, and the other way round.
  const open = results.filter(({ alone }) => alone === (aim === 'prevent'))
  return ATTACKS.map((_, index) => {
    const changed = open.filter(({ alone, attacked }) => attacked[index] !== alone)
    return `${changed.length} of ${open.length}`
  })
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
