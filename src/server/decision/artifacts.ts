import { ANY_ARCH, canonicalArch, canonicalPlatform } from '../../shared/aliases.ts'
import type { Artifact } from '../../shared/release.ts'

/** By canonical platform, then by canonical arch. */
export type ArtifactIndex = ReadonlyMap<string, ReadonlyMap<string, Artifact>>

/**
 * Indexes the artifacts of a release. Where two serve the same platform and arch, which publishing
 * refuses, the first counts.
 */
export function indexArtifacts(artifacts: readonly Artifact[]): ArtifactIndex {
  const index = new Map<string, Map<string, Artifact>>()
  for (const artifact of artifacts) {
    const platform = canonicalPlatform(artifact.platform)
    const arch = canonicalArch(artifact.arch)
    const byArch = index.get(platform) ?? new Map<string, Artifact>()
    if (!byArch.has(arch)) byArch.set(arch, artifact)
    index.set(platform, byArch)
  }
  return index
}

/**
 * Finds the artifact for a canonical platform and arch: the one for that very arch, else one for
 * any arch of the platform.
 */
export function findArtifact(
  index: ArtifactIndex,
  platform: string,
  arch: string,
): Artifact | undefined {
  const byArch = index.get(platform)
  return byArch?.get(arch) ?? byArch?.get(ANY_ARCH)
}
