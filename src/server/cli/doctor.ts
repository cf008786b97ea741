import type { Command } from 'commander'
import type { DoctorReport } from '../storage/backup/doctor.ts'
import { dataFolderOf } from './data-folder.ts'
import { Failure } from './errors.ts'
import { addReadCommand, type ReadOptions } from './options.ts'
import { megabytes, print, printJson, printTable } from './output.ts'

/** `doctor`. */
export function addDoctorCommand(program: Command): void {
  addReadCommand(program, 'doctor', 'examine the database without changing it').action(doctor)
}

async function doctor(options: ReadOptions): Promise<void> {
  const { examine } = await import('../storage/backup/doctor.ts')
  const { requireFile } = await import('./database.ts')
  requireFile(options)
  const report = examine(dataFolderOf(options))
  if (options.json) printJson(report)
  else printReport(report)
  const errors = report.findings.filter(({ level }) => level === 'error')
  if (report.ok) return
  const [first] = errors
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more on stdout)` : ''
  throw new Failure(`${first?.message}${more}`)
}

function printReport(report: DoctorReport): void {
  const { findings, file, version, expectedVersion } = report
  const { databaseBytes, logBytes, freeBytes, rows } = report
  print(`database  ${file}`)
  print(`schema    ${version ?? 'cannot be read'}, this program uses ${expectedVersion}`)
  const free = freeBytes === undefined ? '' : `, ${megabytes(freeBytes)} free on the disk`
  print(`size      ${megabytes(databaseBytes)}, log ${megabytes(logBytes)}${free}`)
  print('')
  const counts = Object.entries(rows)
  printTable(['TABLE', 'ROWS'], counts, 'The tables cannot be read.')
  print('')
  for (const { level, message } of findings) print(`${level}: ${message}`)
  if (findings.length === 0) print('No fault was found.')
}
