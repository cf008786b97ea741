import { sha512InHex } from '../../../shared/artifacts/sha512.ts'
import type { Snapshot } from '../../catalog/snapshot.ts'
import { isMappedAtEnd } from '../../hosting/block-maps/block-maps.ts'
import { hasName } from '../../hosting/file-addresses.ts'
import type { StoredFile } from '../../hosting/file-index.ts'
import type { FileStore } from '../../hosting/file-store.ts'
import type { CompiledChannel } from '../../rules/decision/channel.ts'
import { nameOfFile } from '../../rules/updaters/files.ts'
import { oncePer } from '../../runtime/once-per.ts'

/** A file whose block map a device asks for, and the key of the app that it is of. */
export interface MappedFile {
  readonly file: StoredFile
  readonly app: number
}

export { BLOCK_MAP } from '../../hosting/file-addresses.ts'

/** Names of the files that electron-updater downloads in parts; others have their block map in themselves, or none. */
const MAPPED = /\.(?:exe|zip)$/i

/** Returns whether devices ask for the block map of a file of that name. */
export function isMapped(name: string): boolean {
  return MAPPED.test(name)
}

/** Returns whether electron-updater downloads a file of that name in blocks, wherever its block map is. */
export function isInBlocks(name: string): boolean {
  return isMapped(name) || isMappedAtEnd(name)
}

/**
 * Returns the file that a device means by a name beside the address of one of its app. electron-updater asks for the block map
 * of the version that it runs at the address of the new file, with the version replaced (`getBlockMapFiles` in its
 * `Provider.ts`). So only files that releases name have one, and only a device that knows one of an app finds the others. A name
 * that no file has costs as much as one that some file has, however many files the app has.
 */
export function mappedFile(
  { apps }: Snapshot,
  files: Pick<FileStore, 'find'>,
  file: StoredFile,
  name: string,
): MappedFile | undefined {
  if (!isMapped(name)) return undefined
  const spellings = [file.sha512, Buffer.from(file.sha512, 'hex').toString('base64')]
  for (const { record, channels } of apps) {
    const all = [...channels.values()]
    const naming = all.filter((channel) =>
      spellings.some((each) => hashesIn(channel.compiled).has(each)),
    )
    if (naming.length === 0) continue
    if (hasName(file, name)) return { file, app: record.key }
    // What a device runs came most likely from the channel of what it downloads.
    for (const channel of [...naming, ...all]) {
      const named = namesIn(channel.compiled).get(name)
      const other = named && files.find(sha512InHex(named.sha512))
      if (other !== undefined) return { file: other, app: record.key }
    }
  }
  return undefined
}

/** The SHA-512 of all files of a channel, in lower-case hex or in base64: to convert thousands takes long. */
const hashesIn = oncePer(({ releases }: CompiledChannel) => {
  const artifacts = releases.flatMap(({ facts }) => facts.artifacts)
  return new Set(
    artifacts.map(({ sha512 }) => (sha512.length === 128 ? sha512.toLowerCase() : sha512)),
  )
})

/** The files of a channel by the name at the end of their address; of several, that of the highest version. */
const namesIn = oncePer(({ releases }: CompiledChannel) => {
  const artifacts = releases.flatMap(({ facts }) => facts.artifacts)
  return new Map(artifacts.map((artifact) => [nameOfFile(artifact), artifact]))
})
