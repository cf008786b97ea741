import { say } from '../../../shared/coded.ts'
import type { DoctorReport, Finding } from '../../storage/interface/findings.ts'
import { FINDINGS } from '../strings/database.ts'

/** Returns what an examination found, in words. */
export function findingsInWords({ findings }: Pick<DoctorReport, 'findings'>) {
  return findings.map((finding) => ({ level: finding.level, message: describeFinding(finding) }))
}

/** Returns what is wrong, and what to do about it. */
export function describeFinding(finding: Finding): string {
  return say(FINDINGS, finding)
}
