import { sha512InHex } from '../../../shared/artifacts/sha512.ts'
import type { ReleaseDownloads, ReleasePlace } from '../../../shared/console/releases/releases.ts'
import type { Artifact } from '../../../shared/releases/release.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { keyOf } from '../../catalog/releases/draft-content.ts'
import type { CatalogChannel } from '../../catalog/snapshot.ts'
import type { FleetReads } from '../../fleet/store.ts'
import { dayOf } from '../../fleet/time.ts'
import type { StoredFile } from '../../hosting/file-index.ts'
import type { Hosting } from '../../hosting/hosting.ts'
import { mostBytes } from '../../hosting/patches/limits.ts'
import type { ReleaseFacts } from '../../rules/decision/channel.ts'
import { compareVersions, parseVersion } from '../../rules/decision/version.ts'
import { within } from '../../runtime/async/within.ts'
import type { HostingParts } from '../files/host-files.ts'
import { isInBlocks, isMapped } from '../files/mapped-file.ts'
import { basesAmong } from '../files/wanted-patches.ts'
import { findChannel, type Principal } from '../principal.ts'

/** Versions from which devices come: those that most of them run. */
const MAX_BASES = 3
/** Files whose block maps are made for this, if they are missing. */
const MAX_MAPS = 8
/** Milliseconds to wait for that, and for what it tells. */
const PATIENCE = 3_000

/** What devices download of the files of a release that have the file of an earlier one. */
export interface PartialSizes {
  /** Keys of the artifacts of which devices can download a part. */
  readonly keys: ReadonlySet<string>
  /** Bytes by the version that a device runs and the key of the artifact, see `sizeKey`; without those that are not known. */
  readonly bytes: ReadonlyMap<string, number>
  /** Those of which that is the most that it can be. */
  readonly most: ReadonlySet<string>
}

/** The two ways to download a part: blocks, as electron-updater does, and patches, as `@tidegate/client` does. */
export interface PartialDownloads {
  readonly blocks: PartialSizes
  readonly patches: PartialSizes
}

const NONE: PartialSizes = { keys: new Set(), bytes: new Map(), most: new Set() }
export const NO_PARTS: PartialDownloads = { blocks: NONE, patches: NONE }

export function sizeKey(version: string, key: string): string {
  return `${version} ${key}`
}

interface StoredArtifact {
  readonly key: string
  readonly file: StoredFile
}

/** `hosting`: null where the server stores no files. */
export interface PartialParts extends Pick<HostingParts, 'hosting'> {
  readonly catalog: Pick<Catalog, 'now'>
  readonly fleet: Pick<FleetReads, 'presence'>
}

/**
 * Returns what devices download of the artifacts of a release of which the server has stored the files, for the versions of the
 * channel that most devices run. Makes some of the block maps that are missing, and does not wait long for them: what is not there
 * then is not known. Of a patch that will be made once the release is offered, the block maps tell how large it can be.
 */
export async function partialDownloads(
  { catalog, fleet, hosting }: PartialParts,
  { app, record, compiled }: CatalogChannel,
  release: Pick<ReleaseFacts, 'version' | 'artifacts'>,
): Promise<PartialDownloads> {
  if (hosting === null) return NO_PARTS
  const { stored, blockMaps, patches } = hosting
  const storedOf = (all: readonly Artifact[]): StoredArtifact[] =>
    all.flatMap((each) => {
      const file = stored.find(sha512InHex(each.sha512))
      return file === undefined ? [] : [{ key: keyOf(each), file }]
    })
  const targets = storedOf(release.artifacts)
  if (targets.length === 0) return NO_PARTS
  const inBlocks = targets.filter(({ file }) => isInBlocks(file.name))
  const own = parseVersion(release.version)
  const below = compiled.releases.filter(({ version }) => compareVersions(version, own) < 0)
  const patched = new Set(basesAmong(below))
  const presence = await fleet.presence(app.key, dayOf(catalog.now()))
  const onChannel = presence.filter(({ channel }) => channel === record.name)
  const devicesOn = new Map(onChannel.map(({ version, devices }) => [version, devices]))
  const pairs = compiled.releases
    .map((each) => ({ each, devices: devicesOn.get(each.facts.version) ?? 0 }))
    .filter(({ devices }) => devices > 0)
    .sort((one, other) => other.devices - one.devices)
    .slice(0, MAX_BASES)
    .flatMap(({ each }) => {
      const { version, artifacts } = each.facts
      const bases = new Map(storedOf(artifacts).map(({ key, file }) => [key, file]))
      return targets.flatMap(({ key, file }) => {
        const base = bases.get(key)
        if (base === undefined) return []
        const isMade = patches.bytesBetween(base, file) !== undefined
        const isExpected = patches.isOn && patched.has(each) && !isMade
        return [{ at: sizeKey(version, key), base, file, isExpected }]
      })
    })
  const changed = new Map<string, number>()
  const compare = async () => {
    const wanted = pairs.flatMap(({ base, file, isExpected }) => {
      const isBeside = isMapped(file.name) || (isExpected && !isInBlocks(file.name))
      return isBeside ? [file, base] : []
    })
    const made = [...new Set(wanted)].slice(0, MAX_MAPS)
    await Promise.all(made.map((each) => blockMaps.find(each, app.key)))
    for (const { at, base, file, isExpected } of pairs) {
      if (!isExpected && !isInBlocks(file.name)) continue
      const bytes = await blockMaps.changedBytes(base, file)
      if (bytes !== undefined) changed.set(at, bytes)
    }
  }
  await within(PATIENCE, compare(), () => undefined)
  const blocks = new Map<string, number>()
  const sizes = new Map<string, number>()
  const most = new Set<string>()
  for (const { at, base, file, isExpected } of pairs) {
    const bytes = changed.get(at)
    if (bytes !== undefined && isInBlocks(file.name)) blocks.set(at, bytes)
    if (isExpected && bytes !== undefined) most.add(at)
    const expected = bytes === undefined ? undefined : mostBytes(file, bytes)
    const size = isExpected ? expected : (patches.bytesBetween(base, file) ?? file.size)
    if (size !== undefined) sizes.set(at, size)
  }
  return {
    blocks: { keys: new Set(inBlocks.map(({ key }) => key)), bytes: blocks, most: new Set() },
    patches: {
      ...{ bytes: sizes, most },
      keys: new Set(patches.isOn ? targets.map(({ key }) => key) : []),
    },
  }
}

/** Returns the bytes of a file: as they were published, or as the server has stored it; 0 if they are not known. */
export function sizeOf({ size, sha512 }: Artifact, hosting: Hosting | null): number {
  return size || (hosting?.stored.find(sha512InHex(sha512))?.size ?? 0)
}

/** Returns what a release costs a device that runs `from`; null for none. Makes nothing. Needs the role `viewer`. Throws `unknown`. */
export async function releaseDownloads(
  { catalog, hosting }: HostingParts,
  principal: Principal,
  { version, ...place }: ReleasePlace,
  from: string | null,
): Promise<ReleaseDownloads> {
  const { compiled } = findChannel(await catalog.refresh(), principal, place, 'viewer')
  const artifactsOf = (named: string | null) =>
    compiled.releases.find(({ facts }) => facts.version === named)?.facts.artifacts ?? []
  const before = new Map(artifactsOf(from).map((each) => [keyOf(each), each]))
  const artifacts: ReleaseDownloads['artifacts'] = []
  // One after the other: block maps are large.
  for (const each of artifactsOf(version)) {
    const old = before.get(keyOf(each))
    const changed = old && hosting ? await changedBytes(hosting, old, each) : undefined
    artifacts.push({ size: sizeOf(each, hosting), changed: changed ?? null })
  }
  return { from, artifacts }
}

async function changedBytes({ stored, blockMaps }: Hosting, from: Artifact, to: Artifact) {
  const [old, file] = [from, to].map(({ sha512 }) => stored.find(sha512InHex(sha512)))
  if (old === undefined || file === undefined || !isInBlocks(file.name)) return undefined
  return await blockMaps.changedBytes(old, file)
}
