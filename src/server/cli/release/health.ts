import type { Command } from 'commander'
import { ReleaseHealthAnswer, type ReleaseHealthReport } from '../../../shared/health/health.ts'
import { addVersionCommand, type CommandOptions, onServer } from '../command/options.ts'
import { print, printAnswer, printTable } from '../command/output.ts'
import { text } from '../strings/release.ts'

/** `release health`. */
export function addHealthCommand(release: Command): void {
  addVersionCommand(release, 'health', text.health.description, ReleaseHealthAnswer).action(show)
}

async function show(app: string, channel: string, version: string, options: CommandOptions) {
  const health = await onServer(options, (server) =>
    server.releases.health.query({ app, channel, version }),
  )
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
