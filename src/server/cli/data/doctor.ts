import type { Command } from 'commander'
import { say } from '../../../shared/coded.ts'
import type { DoctorReport, Finding } from '../../storage/interface/findings.ts'
import { Failure } from '../command/errors.ts'
import { addLocalCommand, type ReadOptions } from '../command/options.ts'
import { print, printAnswer, printTable } from '../command/output.ts'
import { DoctorDocument } from '../documents/documents.ts'
import { printNodes } from '../status/node-table.ts'
import { FINDINGS, text } from '../strings/database.ts'

const words = text.doctor

/** `doctor`. */
export function addDoctorCommand(program: Command): void {
  addLocalCommand(program, 'doctor', words.description, DoctorDocument).action(doctor)
}

async function doctor(options: ReadOptions): Promise<void> {
  const { existingStorage } = await import('./database.ts')
  const report = await (await existingStorage(options)).examine()
  const findings = findingsInWords(report)
  const nodes = report.nodes && [...report.nodes]
  printAnswer(options, DoctorDocument, { ...report, findings, nodes }, () =>
    printReport({ ...report, findings }),
  )
  const errors = findings.filter(({ level }) => level === 'error')
  if (report.ok) return
  const [first] = errors
  const message = first?.message ?? words.unhealthy
  throw new Failure(errors.length > 1 ? words.andMore(message, errors.length - 1) : message)
}

type Described = Omit<DoctorReport, 'findings'> & {
  readonly findings: ReturnType<typeof findingsInWords>
}

function printReport(report: Described): void {
  const { findings, file, version, expectedVersion, nodes } = report
  const { databaseBytes, logBytes, freeBytes, rows } = report
  print(words.database(file))
  print(words.schema(version ?? null, expectedVersion))
  print(words.size(databaseBytes, logBytes, freeBytes))
  print('')
  const counts = Object.entries(rows)
  printTable(words.headings, counts, words.unreadable)
  print('')
  if (nodes !== undefined) {
    printNodes(nodes)
    print('')
  }
  for (const { level, message } of findings) print(words.finding(level, message))
  if (findings.length === 0) print(words.none)
}

/** Returns what an examination found, in words. */
export function findingsInWords({ findings }: Pick<DoctorReport, 'findings'>) {
  return findings.map((finding) => ({ level: finding.level, message: describeFinding(finding) }))
}

/** Returns what is wrong, and what to do about it. */
export function describeFinding(finding: Finding): string {
  return say(FINDINGS, finding)
}
