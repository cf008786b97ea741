import type { Command } from 'commander'
import type { ReleasePlace } from '../../../shared/console/releases/releases.ts'
import { ReleaseHealthAnswer, type ReleaseHealthReport } from '../../../shared/health/health.ts'
import { addVersionCommand, atVersion, type CommandOptions, onServer } from '../command/options.ts'
import { print, printAnswer, printTable } from '../command/output.ts'
import { text } from '../strings/release.ts'

/** `release health`. */
export function addHealthCommand(release: Command): void {
  addVersionCommand(release, 'health', text.health.description, ReleaseHealthAnswer).action(
    atVersion(show),
  )
}

async function show(place: ReleasePlace, options: CommandOptions) {
  const health = await onServer(options, (server) => server.releases.health.query(place))
  printAnswer(options, ReleaseHealthAnswer, { health }, () => printHealth(health))
}

function printHealth(report: ReleaseHealthReport): void {
  const { version, health, previous } = report
  const headings = [
    text.health.state,
    version,
    ...(previous === null ? [] : [text.health.before(previous)]),
  ]
  const rows = text.health
    .rows(health)
    .map(([name, count], index) => [
      name,
      count,
      ...(previous === null ? [] : [text.health.rows(previous.health)[index]?.[1] ?? null]),
    ])
  printTable(headings, rows, '')
  for (const line of text.health.summary(report)) print(line)
}
