import { HostedFileName } from '../../shared/hosted-file.ts'
import { idOf, type StoredFile } from './file-index.ts'

const ID = /^(?:[0-9a-f]{32}|[0-9a-f]{128})$/

/** Returns whether an ID and a name, decoded, are of the form that the address of a stored file has. */
export function isFileName(id: string, name: string): boolean {
  return ID.test(id) && HostedFileName.safeParse(name).success
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

  /** Returns the ID in an address of this server, null if it names no file; undefined for every other address. */
  idIn(address: string): string | null | undefined {
    const url = URL.parse(address)
    const { origin, pathname } = new URL(this.#base)
    if (url === null || url.username !== '' || url.password !== '') return undefined
    if (url.origin !== origin || !url.pathname.startsWith(pathname)) return undefined
    const [id = '', name = '', ...more] = url.pathname.slice(pathname.length).split('/')
    return more.length === 0 && isFileName(id, decoded(name)) ? id : null
  }
}

/** Empty for what is no UTF-8. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
