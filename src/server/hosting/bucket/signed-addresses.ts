import type { DownloadMethod } from '../file-store.ts'
import type { SignedAddress } from './s3-bucket.ts'

/**
 * Seconds for which an address of a file can be used. electron-updater asks the address that it was redirected to first
 * for every part of a differential download.
 */
export const ADDRESS_LIFE = 6 * 60 * 60

interface Known {
  readonly url: string
  /** Unix time in milliseconds until which it is handed out. */
  readonly until: number
}

/** The addresses of objects, signed once for everybody who asks within half of their life. */
export class SignedAddresses {
  readonly #known = new Map<string, Known>()

  /** Returns an address that can be used for half of its life at least. */
  async of(
    method: DownloadMethod,
    key: string,
    sign: () => Promise<SignedAddress>,
  ): Promise<string> {
    const name = `${method} ${key}`
    const known = this.#known.get(name)
    if (known !== undefined && Date.now() < known.until) return known.url
    const { url, life } = await sign()
    this.#known.set(name, { url, until: Date.now() + life / 2 })
    return url
  }

  forget(key: string): void {
    for (const method of ['GET', 'HEAD']) this.#known.delete(`${method} ${key}`)
  }
}
