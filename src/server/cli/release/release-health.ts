import type { Command } from 'commander'
import { ReleaseHealthAnswer, type ReleaseHealthReport } from '../../../shared/health.ts'
import { addVersionCommand, type CommandOptions, onServer } from '../options.ts'
import { print, printAnswer, printTable } from '../output.ts'
import { text } from '../strings/health.ts'

/** `release health`. */
export function addHealthCommand(release: Command): void {
  addVersionCommand(release, 'health', text.description, ReleaseHealthAnswer).action(show)
}

async function show(
  app: string,
  channel: string,
  version: string,
  options: CommandOptions,
): Promise<void> {
  const health = await onServer(options, (server) =>
    server.commandLine.health.query({ app, channel, version }),
  )
  printAnswer(options, ReleaseHealthAnswer, { health }, () => printHealth(health))
}

function printHealth(report: ReleaseHealthReport): void {
  const { version, health, previous } = report
  const headings = [text.state, version, ...(previous === null ? [] : [text.before(previous)])]
  const rows = text
    .rows(health)
    .map(([name, count], index) => [
      name,
      count,
      ...(previous === null ? [] : [text.rows(previous.health)[index]?.[1] ?? null]),
    ])
  printTable(headings, rows, '')
  for (const line of text.summary(report)) print(line)
}
