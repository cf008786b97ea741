import type { PreflightFinding, PreflightReport } from '../../shared/releases/preflight.ts'
import { PREFLIGHT_CODES } from '../../shared/releases/preflight-policy.ts'
import type { Fault } from './clients/reading.ts'

/** Most findings that are reported, and most versions that each names. */
const MAX_FINDINGS = 500
const MAX_VERSIONS = 20
/** Longest text that a finding has, in UTF-16 units. */
const MAX_TEXT = 500

/** Whom a fault concerns. */
export interface Concerned extends Pick<PreflightFinding, 'client' | 'platform' | 'arch'> {
  readonly version: string
  readonly devices: number
  /** The ID of one of the devices; null without any. */
  readonly example: string | null
}

/** Adds up what is wrong for groups of devices: the same fault of several versions is one finding. */
export class Findings {
  readonly #found = new Map<
    string,
    Omit<PreflightFinding, 'devices' | 'versions' | 'versionCount'> & {
      readonly running: Map<string, number>
    }
  >()

  /** Call it for groups of many devices first: the example is from the first one that has any. */
  add(faults: readonly Fault[], { version, devices, example, ...place }: Concerned): void {
    for (const given of faults) {
      const fault = shortened(given)
      const key = JSON.stringify([fault, place])
      let finding = this.#found.get(key)
      if (finding === undefined) {
        const severity = PREFLIGHT_CODES[fault.code]
        finding = { ...fault, severity, ...place, running: new Map() }
        this.#found.set(key, finding)
      }
      if (example !== null) finding.example ??= example
      finding.running.set(version, (finding.running.get(version) ?? 0) + devices)
    }
  }

  /** The severest first, then those of most devices. */
  list(): PreflightFinding[] {
    return [...this.#found.values()]
      .map(({ running, ...finding }) => {
        const versions = [...running]
          .map(([version, devices]) => ({ version, devices }))
          .sort((one, other) => other.devices - one.devices)
        const devices = versions.reduce((sum, each) => sum + each.devices, 0)
        return {
          ...finding,
          // Systems that are no longer supported, and that nobody runs any more.
          ...(devices === 0 && finding.code === 'no_file' ? { severity: 'warn' as const } : {}),
          devices,
          versions: versions.slice(0, MAX_VERSIONS),
          versionCount: versions.length,
        }
      })
      .sort(bySeverity)
      .slice(0, MAX_FINDINGS)
  }
}

/** What is inside a file can be of any length. */
function shortened({ code, ...facts }: Fault): Fault {
  const texts = Object.entries(facts).map(([name, text]) => [name, text.slice(0, MAX_TEXT)])
  return { code, ...Object.fromEntries(texts) }
}

function bySeverity(one: PreflightFinding, other: PreflightFinding): number {
  if (one.severity !== other.severity) return one.severity === 'fail' ? -1 : 1
  return other.devices - one.devices
}

/** Returns the severest of findings that are not accepted. */
export function verdictOf(findings: readonly PreflightFinding[]): PreflightReport['verdict'] {
  const severities = findings.flatMap(({ severity, accepted }) => {
    return accepted === undefined ? [severity] : []
  })
  return severities.includes('fail') ? 'fail' : severities.includes('warn') ? 'warn' : 'pass'
}
