import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { FULL, QUICK, type Scale } from './scale.ts'

/** The options on the command line. */
export interface Options {
  readonly scenarios: readonly string[]
  readonly quick: boolean
  readonly scale: Scale
  readonly json: string
  readonly cli: string
  /** The revision to compare with; none without it. */
  readonly against: string | null
  /** The least ratio of processor time; none without it. */
  readonly least: number | null
  readonly only: string
  readonly help: boolean
}

/** What a revision is compared by, without names of scenarios. */
const AGAINST = ['checks', 'startup']
const ROOT = join(import.meta.dirname, '../..')

/** The help text, given the names of the scenarios. */
export function usage(scenarios: readonly string[]): string {
  return `Usage: npm run bench -- [SCENARIO]… [options]
       npm run bench -- against REVISION [SCENARIO]… [options]

Scenarios: ${scenarios.join(', ')}; all when none is named. Against a revision, such as a tag or
a commit, this one and that one take turns, round by round; without scenarios, checks and startup.

  --quick         small pools and short rounds: a smoke run, its figures mean little
  --only TEXT     of checks, feeds and decisions only the cases whose name contains TEXT, as told on
                  stderr while they run: "200", "1000000 devices, 10 releases", "dry run"
  --rounds N      rounds of a case (default ${FULL.rounds}, quick ${QUICK.rounds})
  --seconds N     measured seconds of a round (default ${FULL.measureMs / 1000})
  --devices N     size of the large pool of devices (default ${FULL.manyDevices})
  --json FILE     where the figures go (default bench-results.json)
  --least RATIO   fail if a ratio of processor time is below this: to the revision, or to the bare server
  --cli FILE      the command line to measure (default src/server/cli.ts)
  --help          this text
`
}

/**
 * Reads the command line.
 * @throws Error in one line when it is wrong.
 */
export function readOptions(args: readonly string[], known: readonly string[]): Options {
  const text = (value: string) => ({ type: 'string', default: value }) as const
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      json: text(join(ROOT, 'bench-results.json')),
      cli: text(join(ROOT, 'src/server/cli.ts')),
      only: text(''),
      least: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      devices: { type: 'string' },
    },
  })
  const [command, revision] = positionals
  const against = command === 'against' ? (revision ?? '') : null
  if (against === '') throw new Error('against: name a revision')
  const names = against === null ? positionals : positionals.slice(2)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`no scenario "${unknown}": ${known.join(', ')}`)
  const base = values.quick ? QUICK : FULL
  const measureMs = positive('seconds', values.seconds, base.measureMs / 1000) * 1000
  const rounds = Math.ceil(positive('rounds', values.rounds, base.rounds))
  const manyDevices = Math.ceil(positive('devices', values.devices, base.manyDevices))
  return {
    scenarios: known.filter((name) =>
      names.length > 0 ? names.includes(name) : against === null || AGAINST.includes(name),
    ),
    against,
    least: values.least === undefined ? null : positive('least', values.least, 0),
    quick: values.quick,
    scale: { ...base, measureMs, rounds, manyDevices },
    json: values.json,
    cli: values.cli,
    only: values.only,
    help: values.help,
  }
}

function positive(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  const value = Number(text)
  if (!(value > 0)) throw new Error(`--${name}: a number above 0, not "${text}"`)
  return value
}
