import type { PreflightFinding, PreflightReport } from '../../../shared/preflight.ts'
import { formatCount, formatCounted } from '../../../shared/wording/format.ts'
import {
  findingInWords,
  PREFLIGHT_FIXES,
  preflightVerdict,
} from '../../../shared/wording/preflight.ts'
import { CLIENT_NAMES } from '../../../shared/wording/updater-client.ts'

/** Texts of `preflight`. */
export const text = {
  description: 'Check that every device can install a release or draft before it is offered',
  strict: 'Fail on warnings, too',
  headings: ['', 'CODE', 'DEVICES', 'RUNNING', 'ON', 'WHAT', 'FIX'],
  row: (finding: PreflightFinding) => {
    const { severity, code, devices, client, platform, arch } = finding
    const updater = client === null ? [] : [CLIENT_NAMES[client]]
    return [
      ...[severity, code, formatCount(devices), runningOn(finding)],
      [...updater, platform, arch].join(' '),
      findingInWords(finding),
      PREFLIGHT_FIXES[code],
    ]
  },
  summary: (report: PreflightReport) => {
    const { devices, reaching, beyond, notTargeted, unknown, releasedVersions } = report
    return [
      preflightVerdict(report),
      `Of ${formatCounted(devices, 'device')}, ${formatCount(reaching)} reach it, ${formatCount(beyond)} have it or a later one, ${formatCount(notTargeted)} are not targeted, ${formatCount(unknown)} are unknown. ${formatCounted(releasedVersions, 'version')} that no device runs ${releasedVersions === 1 ? 'was' : 'were'} checked, too.`,
    ]
  },
  failed: preflightVerdict,
} as const

/** The version of most devices, and how many others there are. */
function runningOn({ versions, versionCount }: PreflightFinding): string {
  const [most] = versions
  const more = versionCount - 1
  return `${most?.version ?? ''}${more > 0 ? ` and ${formatCounted(more, 'other')}` : ''}`
}
