import { storageProblemSentence } from '../../../shared/wording/operation/storage-problem.ts'
import type { DoctorReport, Finding } from '../../storage/interface/findings.ts'
import { text } from '../strings/database.ts'

const words = text.findings

/** Returns what an examination found, in words. */
export function findingsInWords({ findings }: Pick<DoctorReport, 'findings'>) {
  return findings.map((finding) => ({ level: finding.level, message: describeFinding(finding) }))
}

/** Returns what is wrong, and what to do about it. */
export function describeFinding(finding: Finding): string {
  switch (finding.code) {
    case 'unreadable':
      return storageProblemSentence(finding.problem)
    case 'empty':
      return words.empty
    case 'damaged':
      return words.damaged(finding.detail)
    case 'orphans':
      return words.orphans(finding.table, finding.parent)
    case 'history':
      return words.history(finding.issue, finding.count)
    case 'outdated':
      return words.outdated(finding.version, finding.expected)
    case 'low_disk_space':
      return words.lowDiskSpace(finding.freeBytes, finding.neededBytes)
    case 'large_log':
      return words.largeLog(finding.logBytes)
    case 'stale_nodes':
      return words.staleNodes(finding.count)
    case 'partitions':
      return words.partitions(finding.days)
    case 'read_only':
      return words.readOnly
    case 'idle_slot':
      return words.idleSlot(finding.slot, finding.bytes)
    default:
      return finding satisfies never
  }
}
