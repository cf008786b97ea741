import { Command, InvalidArgumentError } from 'commander'
import { text as words } from './strings.ts'

export interface DemoCommand {
  readonly seed: number
  readonly devices: number
  readonly days: number
  readonly port: number
  /** In which the live hours pass; 0: they are over at the start. */
  readonly minutes: number
  /** Whether they wait for somebody who signs in. */
  readonly wait: boolean
  /** Opens the desktop app, whose server has the clock of the computer, so that the live hours are over. */
  readonly desktop: boolean
  readonly keep: boolean
}

/** Reads the options of `npm run demo`; wrong ones and `--help` end the process. */
export function readOptions(args: readonly string[]): DemoCommand {
  return new Command('npm run demo --')
    .description(words.description)
    .option('--seed <n>', words.seed, whole(0, 2 ** 31 - 1), 1)
    .option('--devices <n>', words.devices, whole(10, 100_000), 4_000)
    .option('--days <n>', words.days, whole(7, 365), 90)
    .option('--port <n>', words.port, whole(0, 65_535), 8_440)
    .option('--minutes <n>', words.minutes, whole(0, 60), 2)
    .option('--no-wait', words.noWait)
    .option('--desktop', words.desktop, false)
    .option('--keep', words.keep, false)
    .helpOption('-h, --help', words.help)
    .parse(args, { from: 'user' })
    .opts<DemoCommand>()
}

function whole(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d{1,15}$/.test(text) && value >= least && value <= most) return value
    throw new InvalidArgumentError(words.wholeNumber(least, most))
  }
}
