import { Command, InvalidArgumentError } from 'commander'

export interface DemoCommand {
  readonly seed: number
  readonly devices: number
  readonly days: number
  readonly port: number
  readonly keep: boolean
}

/** Reads the options of `npm run demo`; wrong ones and `--help` end the process. */
export function readOptions(args: readonly string[]): DemoCommand {
  return new Command('npm run demo --')
    .description('Shows Tidegate alive: a studio with three apps, and a fleet that updates itself.')
    .option('--seed <n>', 'the same number tells the same story', whole(0, 2 ** 31 - 1), 1)
    .option('--devices <n>', 'devices of the fleet', whole(10, 100_000), 4_000)
    .option('--days <n>', 'days of the past', whole(7, 365), 90)
    .option('--port <n>', 'port of the server, 0 for any that is free', whole(0, 65_535), 8_440)
    .option('--keep', 'keep the data folder when the demo ends', false)
    .parse(args, { from: 'user' })
    .opts<DemoCommand>()
}

function whole(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d{1,15}$/.test(text) && value >= least && value <= most) return value
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`)
  }
}
