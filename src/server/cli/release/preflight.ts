import type { Command } from 'commander'
import { z } from 'zod'
import type { ReleasePlace } from '../../../shared/console/releases/releases.ts'
import { PreflightAnswer, type PreflightReport } from '../../../shared/releases/preflight.ts'
import { StateConflict } from '../command/errors.ts'
import { addVersionCommand, atVersion, type CommandOptions, onServer } from '../command/options.ts'
import { print, printAnswer, printTable } from '../command/output.ts'
import { validNumber } from '../command/valid.ts'
import { text as words } from '../strings/release.ts'

const text = words.preflight

interface PreflightOptions extends CommandOptions {
  readonly strict?: boolean
  readonly uplink?: number
}

/** Megabits a second. */
const Uplink = z.int().min(1).max(1_000_000)

/** `preflight`. */
export function addPreflightCommand(program: Command): void {
  addVersionCommand(program, 'preflight', text.description, PreflightAnswer)
    .option('--strict', text.strict)
    .option('--uplink <mbit>', text.uplink, validNumber(Uplink))
    .action(atVersion(run))
}

/** Throws `StateConflict` if the release fails, with `--strict` also if something is odd about it. */
async function run(place: ReleasePlace, options: PreflightOptions) {
  const preflight = await onServer(options, (server) => server.releases.preflight.query(place))
  printAnswer(options, PreflightAnswer, { preflight }, () => show(preflight, options.uplink))
  const { verdict } = preflight
  if (verdict === 'fail' || (verdict === 'warn' && options.strict === true)) {
    throw new StateConflict(text.failed(preflight))
  }
}

function show(report: PreflightReport, uplink: number | undefined): void {
  const { findings } = report
  if (findings.length > 0) printTable(text.headings, findings.map(text.row), '')
  for (const line of text.summary(report)) print(line)
  if (report.download.bytes > 0) print(text.download(report, uplink))
}
