import {
  ANY_ARCH,
  canonicalArch,
  canonicalPlatform,
  usualKinds,
} from '../../../shared/devices/aliases.ts'
import { OTHER } from '../../../shared/devices/counting.ts'
import { DELTA_KIND, KNOWN_KINDS } from '../../../shared/names.ts'
import type { Artifact } from '../../../shared/releases/release.ts'

/** The artifacts that can serve a platform and arch, resolved before any device asks. */
interface ArchArtifacts {
  /** For a device that does not name a bundle. */
  readonly unnamed: Artifact | undefined
  /** For a device with a bundle of that kind; `OTHER` for one whose bundle is not known. */
  readonly byKind: ReadonlyMap<string, Artifact>
  /** For a device with a bundle of any other kind that updaters know, and of any that they do not. */
  readonly otherKnownKind: Artifact | undefined
  readonly otherKind: Artifact | undefined
  readonly kinds: readonly string[]
}

const KNOWN: ReadonlySet<string> = new Set(KNOWN_KINDS)

/** By canonical platform, then by canonical arch. */
export type ArtifactIndex = ReadonlyMap<string, ReadonlyMap<string, ArchArtifacts>>

/** The artifacts of one platform and arch by their kinds, '' if not given. */
type Kinds = ReadonlyMap<string, Artifact>

/** Indexes the artifacts of a release. Of two for the same platform, arch and kind, which publishing refuses, the first counts. */
export function indexArtifacts(artifacts: readonly Artifact[]): ArtifactIndex {
  const grouped = new Map<string, Map<string, Map<string, Artifact>>>()
  for (const artifact of artifacts) {
    // No device can install what has only changed.
    if (artifact.kind === DELTA_KIND) continue
    const platform = canonicalPlatform(artifact.platform)
    const arch = canonicalArch(artifact.arch)
    const byArch = grouped.get(platform) ?? new Map<string, Map<string, Artifact>>()
    const kinds = byArch.get(arch) ?? new Map<string, Artifact>()
    if (!kinds.has(artifact.kind)) kinds.set(artifact.kind, artifact)
    byArch.set(arch, kinds)
    grouped.set(platform, byArch)
  }
  const index = new Map<string, ReadonlyMap<string, ArchArtifacts>>()
  for (const [platform, byArch] of grouped) {
    const any = byArch.get(ANY_ARCH)
    const resolved = new Map<string, ArchArtifacts>()
    for (const [arch, kinds] of byArch) {
      const levels = any === undefined || any === kinds ? [kinds] : [kinds, any]
      resolved.set(arch, resolve(levels, usualKinds(platform)))
    }
    index.set(platform, resolved)
  }
  return index
}

/** Returns the canonical platform and arch's artifacts: those for that very arch, else those for any arch. */
function artifactsFor(
  index: ArtifactIndex,
  platform: string,
  arch: string,
): ArchArtifacts | undefined {
  const byArch = index.get(platform)
  return byArch?.get(arch) ?? byArch?.get(ANY_ARCH)
}

/** Finds the artifact for canonical names and a bundle, '' for none, `OTHER` for an unknown one: docs/api.md, "Bundle kinds". */
export function findArtifact(
  index: ArtifactIndex,
  platform: string,
  arch: string,
  bundle: string,
): Artifact | undefined {
  const found = artifactsFor(index, platform, arch)
  if (found === undefined) return undefined
  if (bundle === '') return found.unnamed
  const { byKind, otherKnownKind, otherKind } = found
  return byKind.get(bundle) ?? (KNOWN.has(bundle) ? otherKnownKind : otherKind)
}

/** Returns the kinds of the artifacts for a canonical platform and arch, '' for one without a kind. */
export function kindsFor(index: ArtifactIndex, platform: string, arch: string): readonly string[] {
  return artifactsFor(index, platform, arch)?.kinds ?? []
}

/** `levels`: the artifacts of the very arch, if there are any, then those of any arch. */
function resolve(levels: readonly Kinds[], usual: readonly string[]): ArchArtifacts {
  const kinds = [...new Set(levels.flatMap((level) => [...level.keys()]))]
  const only = levels
    .find((level) => level.size === 1)
    ?.values()
    .next().value
  const first = (wanted: readonly string[]) => {
    for (const level of levels) {
      const kind = wanted.find((each) => level.has(each))
      if (kind !== undefined) return level.get(kind)
    }
    return only
  }
  const byKind = new Map<string, Artifact>()
  for (const kind of kinds) {
    if (kind === '') continue
    const artifact = first([kind, ''])
    if (artifact !== undefined) byKind.set(kind, artifact)
  }
  const unnamed = first(['', ...usual])
  const [some] = levels.flatMap((level) => [...level.values()])
  const unknown = unnamed ?? some
  if (unknown !== undefined) byKind.set(OTHER, unknown)
  const otherKind = first([''])
  const isOfKnownKind = otherKind !== undefined && KNOWN.has(otherKind.kind)
  const otherKnownKind = isOfKnownKind ? undefined : otherKind
  return { unnamed, byKind, otherKnownKind, otherKind, kinds }
}
