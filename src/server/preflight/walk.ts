import { canonicalPlatform } from '../../shared/devices/aliases.ts'
import { PREFLIGHT_CODES } from '../../shared/releases/preflight-policy.ts'
import type { Artifact } from '../../shared/releases/release.ts'
import { releaseOn } from '../catalog/catalog.ts'
import type { CatalogChannel, ServedRelease } from '../catalog/snapshot.ts'
import { holds } from '../rules/decision/requirement.ts'
import { compareVersions } from '../rules/decision/version.ts'
import { CLIENT_FILES } from '../rules/updaters/clients.ts'
import { type Installed, READERS } from './clients/clients.ts'
import type { Fault } from './clients/reading.ts'
import { fileFaults, type KnownFiles } from './files/continuity.ts'
import type { AskFeed, AskingDevice, ClientAnswer } from './groups.ts'

/** Where one update after the other leads a device, the best end first. */
export const ENDS = ['reached', 'beyond', 'not_targeted', 'refused'] as const
export type End = (typeof ENDS)[number]

export interface Walk {
  readonly end: End
  readonly faults: readonly Fault[]
}

/** Most updates that a device installs one after the other. */
const MAX_STEPS = 32

/** A channel as it would be with the release for all of its targets. */
export interface Trial {
  readonly channel: CatalogChannel
  readonly release: ServedRelease
  readonly ask: AskFeed
  readonly files: KnownFiles
  readonly changed: ChangedBytes
}

/** Returns the bytes that an updater downloads to change one file into another; undefined if not known, or all of it. */
export type ChangedBytes = (
  client: Installed['client'],
  version: string,
  file: Artifact,
) => number | undefined

/** Follows the updates that a device installs until it has the release or is offered nothing more. */
export function walk(trial: Trial, { client }: Installed, device: AskingDevice): Walk {
  const { channel, release: aim, ask } = trial
  const seen = new Set<string>()
  const warnings: Fault[] = []
  let at = device
  while (seen.size < MAX_STEPS) {
    const order = compareVersions(at.version, aim.version)
    const isRolledBack = channel.compiled.rolledBack.has(at.version.text)
    if (order === 0) return { end: seen.size === 0 ? 'beyond' : 'reached', faults: warnings }
    if (order > 0 && !isRolledBack) return { end: 'beyond', faults: warnings }
    if (seen.has(at.version.text)) break
    seen.add(at.version.text)
    const answer = ask(channel, client, at)
    if (answer.offered === null) return withoutOffer(trial, client, at, answer)
    const faults = faultsOf(trial, client, at, answer)
    if (faults.some(isFailure)) {
      const isStep = answer.offered.text !== aim.version.text
      const blocked: Fault[] = isStep ? [{ code: 'dead_end', found: answer.offered.text }] : []
      return { end: 'refused', faults: [...blocked, ...faults] }
    }
    warnings.push(...faults)
    at = { ...at, version: answer.offered }
  }
  return { end: 'refused', faults: [{ code: 'dead_end', found: at.version.text }] }
}

const isFailure = ({ code }: Fault) => PREFLIGHT_CODES[code] === 'fail'

function faultsOf(
  { channel, files }: Trial,
  client: Installed['client'],
  device: AskingDevice,
  { status, body, offered, allowDowngrade }: ClientAnswer,
): Fault[] {
  if (status !== 200) return [{ code: 'feed_unreadable', found: String(status) }]
  const release = offered && releaseOn(channel, offered.text)
  if (!release) return [{ code: 'feed_unreadable' }]
  const running = releaseOn(channel, device.version.text)
  return [
    ...READERS[client]({ body, device, release, running, allowDowngrade }),
    ...fileFaults({ client, device, release, running }, files),
  ]
}

/** Why a device that is offered nothing is not offered the release. */
function withoutOffer(
  { channel, release }: Trial,
  client: Installed['client'],
  device: AskingDevice,
  { candidates }: ClientAnswer,
): Walk {
  const trace = candidates.find(({ version }) => version === release.version.text)
  const refused = (fault: Fault): Walk => ({ end: 'refused', faults: [fault] })
  switch (trace?.outcome) {
    case 'no_artifact': {
      const { platform, arch } = device
      const isServed = channel.compiled.releases.some(
        (each) =>
          each !== release &&
          CLIENT_FILES[client].choose(each.facts.artifacts, platform, arch).length > 0,
      )
      // Devices that no release was ever for lose nothing.
      return isServed ? refused({ code: 'no_file' }) : { end: 'not_targeted', faults: [] }
    }
    case 'system_too_old':
      return refused({ code: 'system_too_old', expected: trace.floor, found: trace.system })
    case 'not_taken':
      return refused({ code: 'version_not_above', expected: trace.running, found: trace.compared })
    case 'not_targeted':
      return isStep(release, device)
        ? refused({ code: 'dead_end', found: device.version.text })
        : { end: 'not_targeted', faults: [] }
    default:
      return refused({ code: 'dead_end', found: device.version.text })
  }
}

/** Whether the release would be for the device if it ran another version. */
function isStep({ targets }: ServedRelease, device: AskingDevice): boolean {
  const facts = { ...device, platform: canonicalPlatform(device.platform), manual: false }
  const others = targets?.requirements.filter(({ key }) => key !== 'device.version') ?? []
  return others.every((each) => holds(each, facts))
}
