import { formatSize } from '../../shared/wording/format.ts'
import { storageProblemSentence } from '../../shared/wording/storage-problem.ts'
import type { Finding, HistoryIssue } from '../storage/interface/findings.ts'

const RESTORE = 'Stop the server, keep a copy of the data folder and restore a backup.'

const HISTORY: Readonly<Record<HistoryIssue, string>> = {
  changes_without_device: 'profile changes of devices that are not there',
  changes_without_previous: 'profile changes whose previous one is not there',
  devices_without_change: 'devices whose newest profile change is not there',
  check_ins_out_of_order: 'check-ins that name a later one as the one before',
  hours_without_profile: 'hours of profiles that are not there',
}

/** What is wrong, and what to do. */
export function describeFinding(finding: Finding): string {
  switch (finding.code) {
    case 'unreadable':
      return storageProblemSentence(finding.problem)
    case 'empty':
      return 'There is no database yet. Start the server.'
    case 'damaged':
      return `The database is damaged: ${finding.detail}. ${RESTORE}`
    case 'orphans':
      return `The database is damaged: ${finding.table} refers to missing rows of ${finding.parent}. ${RESTORE}`
    case 'history':
      return `There are ${finding.count} ${HISTORY[finding.issue]}. The history of some devices is shown with gaps; updates are not concerned.`
    case 'outdated': {
      const { version, expected } = finding
      return `The database is of schema ${version} and this program uses ${expected}. The next start of the server migrates it.`
    }
    case 'low_disk_space': {
      const [free, needed] = [finding.freeBytes, finding.neededBytes].map(formatSize)
      return `The disk has ${free} free, less than the ${needed} of the database. An update of the program copies it first: free some space.`
    }
    case 'large_log':
      return `The write-ahead log has grown to ${formatSize(finding.logBytes)}. A long read or backup holds it; when none runs, restart the server.`
    default:
      return finding satisfies never
  }
}
