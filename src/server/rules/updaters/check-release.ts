import { documentFor } from '../../../shared/artifacts/documents/document.ts'
import { canonicalArch, canonicalPlatform } from '../../../shared/devices/aliases.ts'
import { lowestSystem } from '../../../shared/devices/system-version.ts'
import { DOCUMENTS_OF, type UpdaterClient } from '../../../shared/files/updater.ts'
import type { Artifact, Release, ReleaseStatus } from '../../../shared/releases/release.ts'
import type {
  CheckedFile,
  CheckedFloor,
  CheckedTarget,
} from '../../../shared/releases/release-check.ts'
import { CLIENT_FILES } from './clients.ts'
import { highestFloor } from './electron-files.ts'
import { artifactsFor, nameOfFile } from './files.ts'
import { isDelta, packageOf } from './packages.ts'

export interface OfferedFiles {
  readonly targets: CheckedTarget[]
  /** Files that no device with one of the clients is offered. */
  readonly unoffered: CheckedFile[]
}

/**
 * Returns what the clients are offered of a release, on every platform and arch that it has a file for: chosen as the update
 * check and the feeds do. `others`: the other releases of the channel, highest version first, for devices whose system is too
 * old, and for what delta packages were built from.
 */
export function checkReleaseFiles(
  { artifacts, documents }: Pick<Release, 'artifacts' | 'documents'>,
  clients: readonly UpdaterClient[],
  others: readonly ReleaseFiles[],
): OfferedFiles {
  const packages = new Set(others.flatMap((each) => each.artifacts.flatMap(sha1Of)))
  const isBaseless = (artifact: Artifact) => {
    const base = packageOf(artifact)?.base
    return isDelta(artifact) && base !== undefined && !packages.has(base)
  }
  const offered = new Set<Artifact>()
  const targets = clients.flatMap((client) =>
    targetsOf(artifacts).flatMap(({ platform, arch }): CheckedTarget[] => {
      const { platforms, choose, fault } = CLIENT_FILES[client]
      if (platforms?.includes(platform) === false) return []
      const found = choose(artifacts, platform, arch)
      const chosen = found.filter((each) => fault(each, platform) !== 'delta' || !isBaseless(each))
      for (const each of chosen) offered.add(each)
      const left = artifactsFor(artifacts, platform, arch).filter((each) => !chosen.includes(each))
      const rest = chosen.length === 0 ? 'needed_file_missing' : 'another_first'
      const notOffered = left.map((each) => ({
        ...fileOf(each),
        code: found.includes(each) ? ('delta_base' as const) : (fault(each, platform) ?? rest),
      }))
      const target = { client, platform, arch }
      const floors = floorsOf(artifacts, others, target)
      const updater = DOCUMENTS_OF[client]
      const document =
        updater && chosen.length > 0
          ? documentFor({ documents }, updater, platform, arch)
          : undefined
      return [
        {
          ...{ ...target, offered: chosen.map(fileOf), notOffered, floors },
          ...(document === undefined ? {} : { document: document.name }),
        },
      ]
    }),
  )
  return { targets, unoffered: artifacts.filter((each) => !offered.has(each)).map(fileOf) }
}

function sha1Of(artifact: Artifact): string[] {
  const { sha1, base } = packageOf(artifact) ?? {}
  return sha1 === undefined || base !== undefined ? [] : [sha1]
}

/** The platforms and archs of files, canonical and each once, in the order of the files. */
function targetsOf(artifacts: readonly Artifact[]): { platform: string; arch: string }[] {
  const targets = artifacts.map(({ platform, arch }) => {
    return { platform: canonicalPlatform(platform), arch: canonicalArch(arch) }
  })
  return [...new Map(targets.map((each) => [`${each.platform}/${each.arch}`, each])).values()]
}

function fileOf(artifact: Artifact): CheckedFile {
  const { platform, arch, kind, size } = artifact
  return {
    ...{ file: nameOfFile(artifact), kind, size },
    ...{ platform: canonicalPlatform(platform), arch: canonicalArch(arch) },
  }
}

/** A release as far as it matters which systems its files need. */
interface ReleaseFiles {
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
function floorsOf(
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
