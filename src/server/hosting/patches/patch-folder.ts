import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { idOf, type StoredFile } from '../file-index.ts'

export interface KeptPatch {
  /** Names the pair of files. */
  readonly pair: string
  /** SHA-256 of the base in lower-case hex. */
  readonly baseHash: string
  readonly path: string
  /** Bytes; 0 if a patch of these files is not worthwhile, so that none is made again. */
  readonly size: number
}

type Content = Pick<StoredFile, 'sha512'>

/** Milliseconds after which what is not complete was left by a crash: more than making one may take. */
const UNFINISHED = 60 * 60_000
const NAME = /^(?<pair>[0-9a-f]{32}-[0-9a-f]{32})-(?<baseHash>[0-9a-f]{64})$/

/** Names a pair of files. */
export function pairOf(base: Content, next: Content): string {
  return `${idOf(next)}-${idOf(base)}`
}

/** The folder of the patches, of which memory knows what was there when it was last read. */
export class PatchFolder {
  readonly #folder: string
  readonly #patches = new Map<string, KeptPatch>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Bytes of all patches. */
  get bytes(): number {
    return [...this.#patches.values()].reduce((total, { size }) => total + size, 0)
  }

  /** Returns where a patch is written, without the SHA-256 of its base; creates the folder if it is missing. */
  async place(pair: string): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    return join(this.#folder, `${pair}-`)
  }

  find(pair: string): KeptPatch | undefined {
    return this.#patches.get(pair)
  }

  /** The worthwhile patches that make a file. */
  making(next: Content): KeptPatch[] {
    const start = `${idOf(next)}-`
    return [...this.#patches.values()].filter(
      ({ pair, size }) => size > 0 && pair.startsWith(start),
    )
  }

  /** Reads the folder, which other nodes may use as well, and deletes what is not wanted or was left by a crash. */
  async read(isWanted: (pair: string) => boolean): Promise<void> {
    const found: KeptPatch[] = []
    for (const name of await this.#names()) {
      const patch = await this.#look(name)
      if (patch !== undefined && isWanted(patch.pair)) found.push(patch)
      else if (patch !== undefined || (await this.#isLeft(name))) await this.#delete(name)
    }
    this.#patches.clear()
    for (const each of found) this.#patches.set(each.pair, each)
  }

  /** Reads a patch that was just made, if there is one. */
  async add(pair: string): Promise<void> {
    for (const name of await this.#names()) {
      const patch = name.startsWith(pair) ? await this.#look(name) : undefined
      if (patch !== undefined) this.#patches.set(pair, patch)
    }
  }

  /** Deletes a patch. */
  async remove({ pair, path }: KeptPatch): Promise<void> {
    this.#patches.delete(pair)
    await rm(path, { force: true })
  }

  /** Empty before the first patch. */
  async #names(): Promise<string[]> {
    return await readdir(this.#folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return []
    })
  }

  /** Undefined for what is no complete patch, and for one that another node has deleted. */
  async #look(name: string): Promise<KeptPatch | undefined> {
    const { pair, baseHash } = NAME.exec(name)?.groups ?? {}
    if (pair === undefined || baseHash === undefined) return undefined
    const path = join(this.#folder, name)
    const state = await stat(path).catch(() => undefined)
    return state && { pair, baseHash, path, size: state.size }
  }

  async #isLeft(name: string): Promise<boolean> {
    const state = await stat(join(this.#folder, name)).catch(() => undefined)
    return state !== undefined && state.mtimeMs < Date.now() - UNFINISHED
  }

  async #delete(name: string): Promise<void> {
    await rm(join(this.#folder, name), { force: true })
  }
}
