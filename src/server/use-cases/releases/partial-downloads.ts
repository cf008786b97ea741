import { sha512InHex } from '../../../shared/artifacts/sha512.ts'
import type { Artifact } from '../../../shared/releases/release.ts'
import { keyOf } from '../../catalog/releases/draft-content.ts'
import type { CatalogChannel } from '../../catalog/snapshot.ts'
import type { StoredFile } from '../../hosting/file-index.ts'
import type { Hosting } from '../../hosting/hosting.ts'
import { within } from '../../runtime/async/within.ts'
import { isInBlocks, isMapped } from '../files/mapped-file.ts'
import type { AppPresence } from '../fleet/presence.ts'

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
}

/** The two ways to download a part: blocks, as electron-updater does, and patches, as `@tidegate/client` does. */
export interface PartialDownloads {
  readonly blocks: PartialSizes
  readonly patches: PartialSizes
}

export const NO_PARTS: PartialDownloads = {
  blocks: { keys: new Set(), bytes: new Map() },
  patches: { keys: new Set(), bytes: new Map() },
}

export function sizeKey(version: string, key: string): string {
  return `${version} ${key}`
}

interface StoredArtifact {
  readonly key: string
  readonly file: StoredFile
}

/**
 * Returns what devices download of artifacts of which the server has stored the files, for the versions of the channel that most
 * devices run. Makes some of the block maps that are missing, and does not wait long for them: what is not there then is not known.
 */
export async function partialDownloads(
  hosting: Hosting,
  { app, record, compiled }: CatalogChannel,
  artifacts: readonly Artifact[],
  presence: Pick<AppPresence, 'devicesOn'>,
): Promise<PartialDownloads> {
  const { stored, blockMaps, patches } = hosting
  const storedOf = (all: readonly Artifact[]): StoredArtifact[] =>
    all.flatMap((each) => {
      const file = stored.find(sha512InHex(each.sha512))
      return file === undefined ? [] : [{ key: keyOf(each), file }]
    })
  const targets = storedOf(artifacts)
  if (targets.length === 0) return NO_PARTS
  const inBlocks = targets.filter(({ file }) => isInBlocks(file.name))
  const pairs = compiled.releases
    .map(({ facts: { version, artifacts: files } }) => {
      return { version, files, devices: presence.devicesOn(record.name, version) }
    })
    .filter(({ devices }) => devices > 0)
    .sort((one, other) => other.devices - one.devices)
    .slice(0, MAX_BASES)
    .flatMap(({ version, files }) => {
      const bases = new Map(storedOf(files).map(({ key, file }) => [key, file]))
      return targets.flatMap(({ key, file }) => {
        const base = bases.get(key)
        return base === undefined ? [] : [{ at: sizeKey(version, key), base, file }]
      })
    })
  const blocks = new Map<string, number>()
  const compare = async () => {
    const wanted = pairs.flatMap(({ base, file }) => (isMapped(file.name) ? [file, base] : []))
    const made = [...new Set(wanted)].slice(0, MAX_MAPS)
    await Promise.all(made.map((each) => blockMaps.find(each, app.key)))
    for (const { at, base, file } of pairs) {
      const bytes = isInBlocks(file.name) ? await blockMaps.changedBytes(base, file) : undefined
      if (bytes !== undefined) blocks.set(at, bytes)
    }
  }
  await within(PATIENCE, compare(), () => undefined)
  const sizes = pairs.flatMap(({ at, base, file }): [string, number][] => {
    const bytes = patches.bytesBetween(base, file)
    return bytes === undefined ? [] : [[at, bytes]]
  })
  return {
    blocks: { keys: new Set(inBlocks.map(({ key }) => key)), bytes: new Map(blocks) },
    patches: {
      keys: new Set(patches.isOn ? targets.map(({ key }) => key) : []),
      bytes: new Map(sizes),
    },
  }
}
