import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../catalog/errors.ts'
import { FileAddresses, hasName } from './file-addresses.ts'
import { nameInLabel } from './file-folder.ts'

interface KeptFiles {
  readonly folder: string
  readonly publicUrl: string
}

/** Returns the path of a file of another process's server; null for none, undefined for other addresses. Throws system errors. */
export function pathOfKept(
  { folder, publicUrl }: KeptFiles,
  address: string,
): string | null | undefined {
  const named = new FileAddresses(publicUrl).namedIn(address)
  if (named === undefined || named === null) return named
  const files = join(folder, 'files')
  const sha512 = readdirSync(files).find((each) => HASH.test(each) && each.startsWith(named.id))
  if (sha512 === undefined) return null
  const path = join(files, sha512)
  return hasName({ sha512, name: nameInLabel(read(`${path}.json`), sha512) }, named.name)
    ? path
    : null
}

/** Throws `file_not_stored` for an address of another process's server without a file, and errors of its folder. */
export function requireKept(kept: KeptFiles, artifacts: readonly { readonly url: string }[]): void {
  for (const [index, { url }] of artifacts.entries()) {
    if (pathOfKept(kept, url) !== null) continue
    throw new Refusal({ code: 'file_not_stored', path: ['artifacts', String(index), 'url'] })
  }
}

const HASH = /^[0-9a-f]{128}$/

/** Empty for a file that cannot be read. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
