import type { Command } from 'commander'
import type { ReadyAnswer } from '../../../shared/operation/readiness.ts'
import { EXIT } from '../command/errors.ts'
import { addServerCommand, type CommandOptions } from '../command/options.ts'
import { print, printJson, printTable } from '../command/output.ts'
import { StatusDocument } from '../documents/documents.ts'
import { text as words } from '../strings/status.ts'
import { printNodes } from './node-table.ts'

/** `status`. */
export function addStatusCommand(program: Command): void {
  addServerCommand(program, 'status', words.description, StatusDocument).action(status)
}

/** Exits with 1 if the server is not ready, or some of it fails. */
async function status(options: CommandOptions): Promise<void> {
  const { askStatus } = await import('../server/status-call.ts')
  const { address, answer } = await askStatus(options)
  if (options.json) printJson(StatusDocument, { address, ...answer })
  else printStatus(address, answer)
  if (isFailing(answer)) process.exitCode = EXIT.failed
}

function isFailing({ status, disk, telemetry, backups, certificate, log }: ReadyAnswer): boolean {
  const parts = [disk, telemetry, backups, log, ...(certificate === null ? [] : [certificate])]
  return (
    status !== 'ready' ||
    parts.some(({ state }) => state === 'failing' || state === 'low' || state === 'expired')
  )
}

function printStatus(address: string, answer: ReadyAnswer): void {
  const { status, version, uptimeSeconds, database, certificate, details } = answer
  const { parts, states } = words
  print((status === 'ready' ? words.ready : words.notReady)(version, address))
  print('')
  const databaseState = database.file === 'ok' ? database.state : database.file
  const lastBackup = details?.lastBackupAt ?? null
  const secondsAgo = lastBackup === null ? null : (Date.now() - Date.parse(lastBackup)) / 1_000
  const rows: [string, string, string | undefined][] = [
    [parts.uptime, words.uptime(uptimeSeconds), ''],
    [
      parts.database,
      states[databaseState],
      details && words.database(details.databaseLocation, details.databaseBytes, details.logBytes),
    ],
    [
      parts.disk,
      states[answer.disk.state],
      details && words.disk(details.freeBytes, details.minFreeBytes),
    ],
    [
      parts.telemetry,
      states[answer.telemetry.state],
      details && words.telemetry(details.checkInsQueued, details.checkInsLost),
    ],
    [
      parts.backups,
      states[answer.backups.state],
      details &&
        (details.backupsAvailable
          ? words.backups(secondsAgo, details.backupEveryHours, details.backupFolder)
          : words.backupsElsewhere),
    ],
    [
      parts.certificate,
      certificate === null ? words.none : states[certificate.state],
      details?.certificateExpiresAt ? words.certificate(details.certificateExpiresAt) : '',
    ],
    [parts.log, states[answer.log.state], details && words.log(details.logLinesLost)],
  ]
  const cells = rows.map(([part, state, detail = '']) => [part, state, detail])
  printTable(words.headings, cells, words.none)
  if (details?.nodes !== undefined) {
    print('')
    printNodes(details.nodes)
  }
  if (details !== undefined) return
  print('')
  print(words.withKey)
}
