import { HostedFileName } from '../../shared/files/hosted-file.ts'
import { idOf, type StoredFile } from './file-index.ts'

/** What the name of a block map has behind that of its file. */
export const BLOCK_MAP = '.blockmap'

const ID = /^(?:[0-9a-f]{32}|[0-9a-f]{128})$/

/** Returns whether an ID and a name, decoded, are of the form that the address of a stored file has. */
export function isFileName(id: string, name: string): boolean {
  return ID.test(id) && HostedFileName.safeParse(name).success
}

export interface NamedFile {
  readonly id: string
  readonly name: string
}

/**
 * Returns whether a file has a name. Under another one, its content would be what nobody uploaded by that name, such as
 * a block map. A file whose name was lost is known by its hash, and has every name, so that releases still find it.
 */
export function hasName(file: Pick<StoredFile, 'sha512' | 'name'>, name: string): boolean {
  return file.name === name || file.name === idOf(file)
}

/** The addresses under which devices download stored files. */
export class FileAddresses {
  readonly #base: string

  /** `publicUrl`: of the server as devices reach it, without a slash at its end. */
  constructor(publicUrl: string) {
    this.#base = `${publicUrl}/files/`
  }

  of(file: StoredFile): string {
    return `${this.#base}${idOf(file)}/${encodeURIComponent(file.name)}`
  }

  /** Returns what an address of this server names, null if it names no file; undefined for every other address. */
  namedIn(address: string): NamedFile | null | undefined {
    const url = URL.parse(address)
    const { origin, pathname } = new URL(this.#base)
    if (url === null || url.username !== '' || url.password !== '') return undefined
    if (url.origin !== origin || !url.pathname.startsWith(pathname)) return undefined
    const [id = '', name = '', ...more] = url.pathname.slice(pathname.length).split('/')
    const named = { id, name: decoded(name) }
    return more.length === 0 && isFileName(named.id, named.name) ? named : null
  }
}

/** Returns the text of a part of a path; empty for what cannot be decoded. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

/** Returns the `Content-Disposition` of a file that is only to be saved (RFC 6266). */
export function attachment(name: string): string {
  return `attachment; filename*=UTF-8''${encodeParameter(name)}`
}

/** As an `ext-value` of RFC 8187 has it. */
function encodeParameter(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, (char) => {
    return `%${char.charCodeAt(0).toString(16).toUpperCase()}`
  })
}
