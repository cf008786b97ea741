/**
 * Measures the automatic stop on simulated rollouts: `npm run simulate -- --rollouts 1000 --seed 1`; with the argument
 * `looks`, with a look after every event, and with `attackers`, beside somebody who invents devices.
 */
import { parseArgs } from 'node:util'
import { type Aim, ATTACKS, attackedBy, RULE_NAMES } from './attackers.ts'
import { printLooks } from './look-table.ts'
import {
  JUDGE_NAMES,
  type JudgeName,
  type Outcome,
  outcomeOf,
  type Summary,
  summarize,
} from './measure.ts'
import { BREAKS, INTERRUPTION_NAMES } from './rollout.ts'

/** Shares of devices that a release breaks; at 2.6%, 3% fail with those that fail at every release: the limit. */
const SHARES = [0, 0.003, 0.01, 0.02, 0.026, 0.03, 0.05, 0.1, 0.25]
/** Seeds of one run do not overlap with those of the next. */
const RUN = 1_000_000

/** Devices of the fleets that are attacked, and how many rollouts of each take about as long as those of the others. */
const FLEETS = [
  [50, 40],
  [500, 20],
  [5_000, 6],
  [50_000, 2],
] as const

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rollouts: { type: 'string' },
    seed: { type: 'string', default: '1' },
    share: { type: 'string' },
    judge: { type: 'string' },
    devices: { type: 'string' },
    interruption: { type: 'string' },
    breaks: { type: 'string' },
    plan: { type: 'string' },
  },
})
const judges = JUDGE_NAMES.filter((name) => values.judge?.split(',').includes(name) ?? true)
/** Every fifth seed breaks the same. */
const kind = BREAKS.indexOf(values.breaks as (typeof BREAKS)[number])
const interruption = INTERRUPTION_NAMES.find((name) => name === values.interruption)
/** As `25:72,100:0`: percentages, and the hours to the next. */
const plan = values.plan?.split(',').map((step) => {
  const [rolloutPct = 0, soakHours = 0] = step.split(':').map(Number)
  return [rolloutPct, soakHours] as const
})
const share = values.share === undefined ? undefined : Number(values.share)
const devices = values.devices === undefined ? undefined : Number(values.devices)
const isAttacked = positionals[0] === 'attackers'
const rollouts = Number(values.rollouts ?? 1_000)
const seed = Number(values.seed)
if (!Number.isInteger(rollouts) || rollouts < 1 || !Number.isInteger(seed)) {
  throw new Error('--rollouts and --seed must be whole numbers')
}

if (isAttacked) printAttacks()
else if (positionals[0] === 'looks') printLooks(rollouts, seed, { devices, share }, print)
else {
  print(
    `${rollouts} rollouts of each kind, seed ${seed}${interruption === undefined ? '' : `, ${interruption}`}`,
  )
  for (const each of share === undefined ? SHARES : [share]) {
    const outcomes = Array.from({ length: rollouts }, (_, i) =>
      outcomeOf(seed * RUN + (kind === -1 ? i : BREAKS.length * i + kind), each, judges, {
        ...(devices !== undefined && { devices }),
        interruption,
        plan,
      }),
    )
    print(each === 0 ? '\nHealthy' : `\n${each * 100}% of devices broken`)
    for (const name of judges) {
      print(line(name, summarize(outcomes, name)))
      if (each > 0) for (const kind of BREAKS) printKind(outcomes, kind, name)
    }
  }
}

/** One line for each fleet and attack: how many of the rollouts it changed. */
function printAttacks(): void {
  print(`seed ${seed}`)
  print(
    'devices  networks  per hour  made        caused before / now  prevented before / now  held now',
  )
  const fleets = devices === undefined ? FLEETS : [[devices, 10] as const]
  for (const [devices, usual] of fleets) {
    const most = values.rollouts === undefined ? usual : rollouts
    const [caused, prevented] = (['cause', 'prevent'] as const).map((aim) =>
      Array.from({ length: most }, (_, i) => attackedBy(seed * RUN + i, devices, aim)),
    )
    const changed = [
      ...changedBy('cause', caused),
      ...changedBy('prevent', prevented),
      heldBy(caused),
    ]
    for (const [index, { networks, perHour, ahead }] of ATTACKS.entries()) {
      const made = ahead === 0 ? 'then' : 'days ahead'
      const numbers = changed.map((each) => each[index] ?? '')
      const cells = [String(devices), String(networks), String(perHour), made, ...numbers]
      print(cells.map((cell) => cell.padEnd(12)).join(''))
    }
  }
}

type Results = readonly ReturnType<typeof attackedBy>[]

/** For each attack, healthy releases whose offers waited because of it. */
function heldBy(results: Results = []): string[] {
  const open = results.flatMap(({ now }) => (now.aloneHeld ? [] : [now]))
  return ATTACKS.map((_, index) => {
    return `${open.filter(({ held }) => held[index]).length} of ${open.length}`
  })
}

/** By each rule, and for each attack. */
function changedBy(aim: Aim, results: Results = []): string[][] {
  return RULE_NAMES.map((rule) => {
    // What is stopped without attackers cannot be caused by them, and the other way round.
    const open = results.flatMap(({ [rule]: result }) =>
      result.alone === (aim === 'prevent') ? [result] : [],
    )
    return ATTACKS.map((_, index) => {
      const changed = open.filter(({ alone, attacked }) => attacked[index] !== alone)
      return `${changed.length} of ${open.length}`
    })
  })
}

function printKind(outcomes: readonly Outcome[], kind: string, name: JudgeName) {
  const those = outcomes.filter(({ breaks }) => breaks === kind)
  if (those.length > 0) print(line(`  ${kind}`, summarize(those, name)))
}

function line(name: string, summary: Summary) {
  const { rollouts, hours, complete, meanComplete, harmed, harmedBySchedule } = summary
  const shares = (['stopped', 'held', 'advanced'] as const).map((what) =>
    `${((100 * summary[what]) / rollouts).toFixed(1)}% ${what}`.padEnd(16),
  )
  const times =
    `stop ${hours ?? '-'} h, complete ${complete ?? '-'} h (mean ${meanComplete ?? '-'})`.padEnd(40)
  const devices = harmedBySchedule === 0 ? '' : `${harmed} of ${harmedBySchedule} harmed`
  return `${name.padEnd(26)}${shares.join('')}${times}${devices}`
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
