import { canonicalArch, canonicalPlatform } from '../../shared/aliases.ts'
import type { Artifact } from '../../shared/release.ts'
import type { CheckedFile, CheckedTarget, UpdaterClient } from '../../shared/release-check.ts'
import { CLIENT_FILES } from './clients.ts'
import { artifactsFor, nameOfFile } from './files.ts'
import { floorsOf, type ReleaseFiles } from './floors.ts'

/** What devices are offered of a release. */
export interface OfferedFiles {
  readonly targets: CheckedTarget[]
  /** Files that no device with one of the clients is offered. */
  readonly unoffered: CheckedFile[]
}

/**
 * Returns what the clients are offered of a release, on every platform and arch that it has a file for: chosen as the update
 * check and the feeds do. `others`: the other published releases of the channel, highest version first, for devices whose
 * system is too old.
 */
export function checkReleaseFiles(
  artifacts: readonly Artifact[],
  clients: readonly UpdaterClient[],
  others: readonly ReleaseFiles[],
): OfferedFiles {
  const offered = new Set<Artifact>()
  const targets = clients.flatMap((client) =>
    targetsOf(artifacts).flatMap(({ platform, arch }): CheckedTarget[] => {
      const { platforms, choose, fault } = CLIENT_FILES[client]
      if (platforms?.includes(platform) === false) return []
      const chosen = choose(artifacts, platform, arch)
      for (const each of chosen) offered.add(each)
      const left = artifactsFor(artifacts, platform, arch).filter((each) => !chosen.includes(each))
      const rest = chosen.length === 0 ? 'needed_file_missing' : 'another_first'
      const notOffered = left.map((each) => ({
        ...fileOf(each),
        code: fault(each, platform) ?? rest,
      }))
      const target = { client, platform, arch }
      const floors = floorsOf(artifacts, others, target)
      return [{ ...target, offered: chosen.map(fileOf), notOffered, floors }]
    }),
  )
  return { targets, unoffered: artifacts.filter((each) => !offered.has(each)).map(fileOf) }
}

/** The platforms and archs of files, canonical and each once, in the order of the files. */
function targetsOf(artifacts: readonly Artifact[]): { platform: string; arch: string }[] {
  const targets = artifacts.map(({ platform, arch }) => {
    return { platform: canonicalPlatform(platform), arch: canonicalArch(arch) }
  })
  return [...new Map(targets.map((each) => [`${each.platform}/${each.arch}`, each])).values()]
}

function fileOf(artifact: Artifact): CheckedFile {
  const { platform, arch, kind } = artifact
  return {
    ...{ file: nameOfFile(artifact), kind },
    ...{ platform: canonicalPlatform(platform), arch: canonicalArch(arch) },
  }
}
