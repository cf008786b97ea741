import { readDocument } from '../../../shared/artifacts/documents/document.ts'
import { artifactKey } from '../../../shared/devices/aliases.ts'
import type { SignedDocument } from '../../../shared/files/signed-document.ts'
import type { DocumentUpdater } from '../../../shared/files/updater.ts'
import type { Artifact } from '../../../shared/releases/release.ts'
import type { CompiledChannel, CompiledRelease } from '../decision/channel.ts'
import { compareVersions, type ParsedVersion, parseVersion } from '../decision/version.ts'
import { nameOfFile } from './files.ts'
import { isDelta, packageOf } from './packages.ts'

/** A delta package, and the release that it leads to. */
export interface Delta {
  readonly release: CompiledRelease
  readonly artifact: Artifact
}

/** Most packages that are applied one after the other: Velopack takes the full one beyond that (`UpdateManager.cs`). */
const MAX_DELTAS = 10

/**
 * Returns the delta packages that lead from a version to `full`, the package of the release `to`, lowest version first; none
 * unless all of them are there, and the releases in between are published. Squirrel.Windows and Velopack apply every delta
 * package of a feed that is above what they run (`UpdateInfo.cs`, `manager.rs`), so it never has others.
 */
export function deltasTo(
  channel: CompiledChannel,
  from: string,
  to: CompiledRelease,
  full: Artifact,
): Delta[] {
  const deltas: Delta[] = []
  let release = to
  while (deltas.length < MAX_DELTAS) {
    const artifact = deltaOf(release.facts.artifacts, full)
    const base = artifact && packageOf(artifact)?.base
    if (artifact === undefined || base === undefined) return []
    if (release.facts.status !== 'published') return []
    deltas.unshift({ release, artifact })
    const before = packagesIn(channel).get(base)
    if (before === undefined || compareVersions(before.version, release.version) >= 0) return []
    if (before.version.text === from) return deltas
    release = before
  }
  return []
}

/** Returns the delta package of a release for the same devices as a full package. */
export function deltaOf(artifacts: readonly Artifact[], full: Artifact): Artifact | undefined {
  const devices = ({ platform, arch }: Artifact) => artifactKey(platform, arch, '')
  return artifacts.find((each) => isDelta(each) && devices(each) === devices(full))
}

/**
 * Returns the publisher's list of packages for a device that runs a version and installs `full`, the package of a release.
 * Undefined if the release has none, or if the device would apply other deltas of the list than `deltas`: every one above what
 * it runs.
 */
export function listFor(
  { documents = [] }: { readonly documents?: readonly SignedDocument[] | undefined },
  updater: DocumentUpdater,
  running: ParsedVersion,
  full: Artifact,
  deltas: readonly Delta[],
): SignedDocument | undefined {
  if (documents.length === 0) return undefined
  const served = [full, ...deltas.map(({ artifact }) => artifact)].map(lineOf).toSorted()
  return documents.find((document) => {
    if (document.updater !== updater) return false
    const { latest, deltas: listed } = linesIn(document)
    const used = listed.filter(({ version }) => compareVersions(version, running) > 0)
    const lines = [...latest, ...used.map(({ line }) => line)].toSorted()
    return lines.length === served.length && lines.every((line, at) => line === served[at])
  })
}

const lineOf = (file: Artifact) => `${packageOf(file)?.sha1} ${nameOfFile(file)}`

/** The packages of a list, by SHA-1 and name: the full ones of its version, and all deltas. */
interface Lines {
  readonly latest: readonly string[]
  readonly deltas: readonly { readonly version: ParsedVersion; readonly line: string }[]
}

const known = new WeakMap<SignedDocument, Lines>()

function linesIn(document: SignedDocument): Lines {
  const before = known.get(document)
  if (before !== undefined) return before
  const { version = '', packages: listed = [] } = readDocument(document) ?? {}
  const lines = listed.map((each) => {
    const line = `${each.sha1.toLowerCase()} ${each.name}`
    return { ...each, version: parseVersion(each.version), line }
  })
  const latest = lines.filter(
    (each) => !each.isDelta && each.version.text === parseVersion(version).text,
  )
  const found = {
    latest: latest.map(({ line }) => line),
    deltas: lines
      .filter(({ isDelta }) => isDelta)
      .map(({ version: to, line }) => ({ version: to, line })),
  }
  known.set(document, found)
  return found
}

const packages = new WeakMap<CompiledChannel, ReadonlyMap<string, CompiledRelease>>()

/** The releases of a channel by the SHA-1 of their full packages, read once for every change of the channel. */
function packagesIn(channel: CompiledChannel): ReadonlyMap<string, CompiledRelease> {
  let known = packages.get(channel)
  if (known === undefined) {
    const found = channel.releases.flatMap((release) =>
      release.facts.artifacts.flatMap((artifact) => {
        const { sha1, base } = packageOf(artifact) ?? {}
        return sha1 === undefined || base !== undefined ? [] : [[sha1, release] as const]
      }),
    )
    known = new Map(found)
    packages.set(channel, known)
  }
  return known
}
