import { sha512InHex } from '../../../shared/artifacts/sha512.ts'
import { canonicalPlatform } from '../../../shared/devices/aliases.ts'
import type { UpdaterClient } from '../../../shared/files/updater.ts'
import type { Artifact } from '../../../shared/releases/release.ts'
import { type Catalog, releaseOn } from '../../catalog/catalog.ts'
import type { ReleaseRecord } from '../../catalog/records.ts'
import { isSuccessful } from '../../catalog/releases/proofs.ts'
import type { CatalogChannel } from '../../catalog/snapshot.ts'
import { dayOf } from '../../fleet/time.ts'
import type { Prover } from '../../outbound/proving/prover.ts'
import type { KnownFiles } from '../../preflight/files/continuity.ts'
import type { FileFacts } from '../../preflight/inspect/facts.ts'
import { compareVersions, parseVersion } from '../../rules/decision/version.ts'
import { nameOfFile } from '../../rules/updaters/files.ts'
import { type PartialParts, type PartialSizes, partialDownloads } from './partial-downloads.ts'

/** Milliseconds in which files are looked into; those that are left are named, and the next preflight goes on with them. */
const TIME = 30_000
/** Most versions that devices run whose files are compared with those of the release. */
const MAX_RUNNING = 20

export interface FileParts extends PartialParts {
  readonly catalog: Catalog
  readonly prover: Prover
}

/** What is known of the files of a release, and of those that devices run. */
export interface LookedInto extends KnownFiles {
  readonly inspected: number
  /** Not read, wholly or in part. */
  readonly notInspected: number
}

/** Looks into unknown files of a release and of those that devices run, for half a minute at most. Throws the reason of `signal`. */
export async function lookInto(
  { catalog, prover, fleet }: FileParts,
  channel: CatalogChannel,
  tried: ReleaseRecord,
  signal: AbortSignal | undefined,
): Promise<LookedInto> {
  const presence = await fleet.presence(channel.app.key, dayOf(catalog.now()))
  const running = presence
    .filter((each) => each.channel === channel.record.name && each.devices > 0)
    .sort((one, other) => other.devices - one.devices)
    .slice(0, MAX_RUNNING)
    .map(({ version }) => version)
  const releases = [tried, ...releasesRun(channel, tried, running)]
  const proofs = await catalog.store.proofs(releases.map(({ id }) => id))
  const proofOf = ({ id }: ReleaseRecord, at: number) =>
    proofs.find(({ releaseId, position }) => releaseId === id && position === at)
  const failures = tried.artifacts.flatMap((artifact, at) => {
    const code = proofOf(tried, at)?.failure?.code
    return code === undefined ? [] : [[sha512InHex(artifact.sha512), code] as const]
  })
  const platforms = new Set(tried.artifacts.map(({ platform }) => canonicalPlatform(platform)))
  const facts = new Map<string, FileFacts>()
  let notInspected = 0
  const ended = AbortSignal.any([
    AbortSignal.timeout(TIME),
    ...(signal === undefined ? [] : [signal]),
  ])
  const tasks = releases.flatMap((release) =>
    release.artifacts.map(async (artifact, at) => {
      if (!platforms.has(canonicalPlatform(artifact.platform))) return
      const proof = proofOf(release, at)
      const isProven = proof !== undefined && isSuccessful(proof)
      const found = await inspect(prover, channel, artifact, isProven, ended)
      if (found === undefined || found.notes.length > 0) notInspected += 1
      if (found !== undefined) facts.set(sha512InHex(artifact.sha512), found)
    }),
  )
  await Promise.all(tasks)
  signal?.throwIfAborted()
  return { facts, failures: new Map(failures), inspected: facts.size, notInspected }
}

/** Bytes that devices download of what has changed, by their updater, see `PartialSizes`. */
export type ChangedByClient = Partial<Record<UpdaterClient, PartialSizes['bytes']>>

/** Returns what devices that run other versions download of files that the server stores. */
export async function changedOf(
  parts: FileParts,
  channel: CatalogChannel,
  release: ReleaseRecord,
): Promise<ChangedByClient> {
  const { blocks, patches } = await partialDownloads(parts, channel, release)
  return { electron_updater: blocks.bytes, update_check: patches.bytes }
}

/** The releases of versions; without devices, the one below. */
function releasesRun(
  channel: CatalogChannel,
  tried: ReleaseRecord,
  running: readonly string[],
): ReleaseRecord[] {
  const found = running.flatMap((version) => releaseOn(channel, version)?.facts ?? [])
  const version = parseVersion(tried.version)
  const below = channel.compiled.releases.findLast(
    (each) => compareVersions(each.version, version) < 0,
  )
  const all = found.length > 0 ? found : below === undefined ? [] : [below.facts]
  return all.filter(({ id }) => id !== tried.id)
}

/** Undefined if the file cannot be read, or not in time. */
async function inspect(
  prover: Prover,
  { app }: CatalogChannel,
  artifact: Artifact,
  isProven: boolean,
  signal: AbortSignal,
): Promise<FileFacts | undefined> {
  const key = sha512InHex(artifact.sha512)
  const known = await prover.memory.recall(key)
  if (known !== undefined) return known
  const { url, size } = artifact
  const asked = { app: app.key, settings: app.proving, url, size, name: nameOfFile(artifact) }
  const inspection = await prover.inspect(asked, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
  if (inspection === undefined || 'failure' in inspection) return undefined
  const { facts, isStored } = inspection
  // What another host has may be another file by then.
  if (isStored || isProven) await prover.memory.remember(key, facts)
  return facts
}
