import type { Artifact, ReleaseStatus } from '../../shared/release.ts'
import type { CheckedFloor, UpdaterClient } from '../../shared/release-check.ts'
import { lowestSystem } from '../../shared/system-version.ts'
import { CLIENT_FILES } from './clients.ts'
import { highestFloor } from './electron-files.ts'

/** A release as far as it matters which systems its files need. */
export interface ReleaseFiles {
  readonly version: string
  readonly status: ReleaseStatus
  readonly artifacts: readonly Artifact[]
}

/** The devices that are looked at: of a client, on a canonical platform and arch. */
interface Target {
  readonly client: UpdaterClient
  readonly platform: string
  readonly arch: string
}

/**
 * Returns what devices get whose system is older than the files of a release need, from the highest floor down: of `others`,
 * highest version first, the first that is published and whose files need less. Empty if the files need nothing that can be read.
 * A device that names no bundle, and one that runs a lower version than all of them, is assumed.
 */
export function floorsOf(
  artifacts: readonly Artifact[],
  others: readonly ReleaseFiles[],
  target: Target,
): CheckedFloor[] {
  const floors: CheckedFloor[] = []
  let floor = neededBy(artifacts, target)?.floor
  while (floor !== undefined) {
    const below = floor
    const fitting = others.flatMap(({ version, status, artifacts: files }) => {
      const needed = status === 'published' ? neededBy(files, target) : undefined
      return needed !== undefined && isLower(needed.floor, below, target)
        ? [{ version, needed }]
        : []
    })[0]
    floors.push({ below, version: fitting?.version ?? null })
    floor = fitting?.needed.floor
  }
  return floors
}

/** Returns the system that a client's files of a release need, undefined for any; undefined if it is offered none of them. */
function neededBy(
  artifacts: readonly Artifact[],
  { client, platform, arch }: Target,
): { readonly floor: string | undefined } | undefined {
  const chosen = CLIENT_FILES[client].choose(artifacts, platform, arch)
  const [best] = chosen
  if (best === undefined) return undefined
  const floor = client === 'electron_updater' ? highestFloor(chosen) : best.minimumSystemVersion
  const isRead = floor !== undefined && lowestSystem(platform, floor) !== undefined
  return { floor: isRead ? floor : undefined }
}

function isLower(floor: string | undefined, other: string, { platform }: Target): boolean {
  if (floor === undefined) return true
  const [one = '', two = ''] = [floor, other].map((each) => lowestSystem(platform, each))
  return one.localeCompare(two, 'en', { numeric: true }) < 0
}
