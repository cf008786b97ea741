import { sha512InHex } from '../../../shared/artifacts/sha512.ts'
import type { CatalogChannel, Snapshot } from '../../catalog/snapshot.ts'
import type { CompiledChannel } from '../../decision/channel.ts'
import { hasName } from '../../hosting/file-addresses.ts'
import type { StoredFile } from '../../hosting/file-index.ts'
import type { FileStore } from '../../hosting/file-store.ts'

/** A file whose block map a device asks for, and the key of the app that it is of. */
export interface MappedFile {
  readonly file: StoredFile
  readonly app: number
}

/** Names of the files that electron-updater downloads in parts; others have their block map in themselves, or none. */
const MAPPED = /\.(?:exe|zip)$/i

/** Returns whether devices ask for the block map of a file of that name. */
export function isMapped(name: string): boolean {
  return MAPPED.test(name)
}

/**
 * Returns the file that a device means by a name beside the address of one of its app. electron-updater asks for the block map
 * of the version that it runs at the address of the new file, with the version replaced (`getBlockMapFiles` in its
 * `Provider.ts`). So only files that releases name have one, and only a device that knows one of an app finds the others.
 */
export function mappedFile(
  { apps }: Snapshot,
  files: Pick<FileStore, 'find'>,
  file: StoredFile,
  name: string,
): MappedFile | undefined {
  if (!isMapped(name)) return undefined
  for (const { record, channels } of apps) {
    const all = [...channels.values()]
    const naming = all.filter((channel) => hashesIn(channel).has(file.sha512))
    if (naming.length === 0) continue
    if (hasName(file, name)) return { file, app: record.key }
    // What a device runs came most likely from the channel of what it downloads.
    for (const channel of [...naming, ...all]) {
      const stored = [...hashesIn(channel)].map((sha512) => files.find(sha512))
      const other = stored.findLast((each) => each?.name === name)
      if (other !== undefined) return { file: other, app: record.key }
    }
  }
  return undefined
}

const hashes = new WeakMap<CompiledChannel, ReadonlySet<string>>()

/**
 * The SHA-512 of all files of a channel in lower-case hex, those of lower versions first. Read once for every change of the
 * channel, and only if somebody asks.
 */
function hashesIn({ compiled }: CatalogChannel): ReadonlySet<string> {
  let known = hashes.get(compiled)
  if (known === undefined) {
    const artifacts = compiled.releases.flatMap(({ facts }) => facts.artifacts)
    known = new Set(artifacts.map(({ sha512 }) => sha512InHex(sha512)))
    hashes.set(compiled, known)
  }
  return known
}
