import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../catalog/errors.ts'
import { FileAddresses } from './file-addresses.ts'

/** Where a server keeps files, and its own address in theirs. */
interface KeptFiles {
  readonly folder: string
  readonly publicUrl: string
}

/**
 * Returns the path of the file that the server of another process keeps at an address; null if it keeps none there,
 * undefined for the addresses of others. Throws the error of the operating system if the folder cannot be read.
 */
export function pathOfKept(
  { folder, publicUrl }: KeptFiles,
  address: string,
): string | null | undefined {
  const id = new FileAddresses(publicUrl).idIn(address)
  if (typeof id !== 'string') return id
  const files = join(folder, 'files')
  const name = readdirSync(files).find((each) => HASH.test(each) && each.startsWith(id))
  return name === undefined ? null : join(files, name)
}

/**
 * Throws `file_not_stored` for an artifact with an address of the server of another process at which it keeps nothing,
 * and the error of the operating system if its folder cannot be read.
 */
export function requireKept(kept: KeptFiles, artifacts: readonly { readonly url: string }[]): void {
  for (const [index, { url }] of artifacts.entries()) {
    if (pathOfKept(kept, url) !== null) continue
    throw new Refusal({ code: 'file_not_stored', path: ['artifacts', String(index), 'url'] })
  }
}

const HASH = /^[0-9a-f]{128}$/
