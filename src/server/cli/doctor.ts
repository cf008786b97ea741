import type { Command } from 'commander'
import { formatSize } from '../../shared/wording/format.ts'
import type { DoctorReport } from '../storage/interface/findings.ts'
import { describeFinding } from './doctor-findings.ts'
import { Failure } from './errors.ts'
import { addReadCommand, type ReadOptions } from './options.ts'
import { print, printJson, printTable } from './output.ts'

/** `doctor`. */
export function addDoctorCommand(program: Command): void {
  addReadCommand(program, 'doctor', 'examine the database without changing it').action(doctor)
}

async function doctor(options: ReadOptions): Promise<void> {
  const { existingStorage } = await import('./database.ts')
  const report = await existingStorage(options).examine()
  const findings = report.findings.map((finding) => ({
    level: finding.level,
    message: describeFinding(finding),
  }))
  if (options.json) printJson({ ...report, findings })
  else printReport({ ...report, findings })
  const errors = findings.filter(({ level }) => level === 'error')
  if (report.ok) return
  const [first] = errors
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more on stdout)` : ''
  throw new Failure(`${first?.message}${more}`)
}

type Described = Omit<DoctorReport, 'findings'> & {
  readonly findings: readonly { readonly level: string; readonly message: string }[]
}

function printReport(report: Described): void {
  const { findings, file, version, expectedVersion } = report
  const { databaseBytes, logBytes, freeBytes, rows } = report
  print(`database  ${file}`)
  print(`schema    ${version ?? 'cannot be read'}, this program uses ${expectedVersion}`)
  const free = freeBytes === undefined ? '' : `, ${formatSize(freeBytes)} free on the disk`
  print(`size      ${formatSize(databaseBytes)}, log ${formatSize(logBytes)}${free}`)
  print('')
  const counts = Object.entries(rows)
  printTable(['TABLE', 'ROWS'], counts, 'The tables cannot be read.')
  print('')
  for (const { level, message } of findings) print(`${level}: ${message}`)
  if (findings.length === 0) print('No problems found.')
}
