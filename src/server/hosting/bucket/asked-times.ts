import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { parsedJson } from '../../../shared/basics/parsed-json.ts'
import { writeDurably } from '../durable.ts'
import type { DownloadMethod } from '../file-store.ts'
import type { SignedAddress } from './s3-bucket.ts'

const Times = z.record(z.string(), z.int())

/** When files of a bucket were last asked for, in a local file: a bucket cannot note it without a copy of the object. */
export class AskedTimes {
  readonly #file: string
  readonly #life: number
  readonly #times: Map<string, number>
  #writing: Promise<void> = Promise.resolve()

  private constructor(file: string, life: number, times: Map<string, number>) {
    this.#file = file
    this.#life = life
    this.#times = times
  }

  /** `life`: milliseconds after which a time no longer matters. A missing or damaged file counts as empty. */
  static async open(file: string, life: number): Promise<AskedTimes> {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    const text = await readFile(file, 'utf8').catch(() => '')
    const known = Times.safeParse(parsedJson(text)).data ?? {}
    return new AskedTimes(file, life, new Map(Object.entries(known)))
  }

  /** Unix time in milliseconds; 0 if nothing is known. */
  of(sha512: string): number {
    return this.#times.get(sha512) ?? 0
  }

  /** Resolves when the time survives a crash. */
  async note(sha512: string, now: number): Promise<void> {
    this.#times.set(sha512, now)
    for (const [other, time] of this.#times) {
      if (now - time > this.#life) this.#times.delete(other)
    }
    const write = () => writeDurably(this.#file, JSON.stringify(Object.fromEntries(this.#times)))
    // One after the other, whether or not the one before succeeded.
    this.#writing = this.#writing.then(write, write)
    await this.#writing
  }
}

/** Seconds for which a file's address works: electron-updater asks the redirected address for every part of a download. */
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
