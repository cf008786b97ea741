import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { parsedJson } from '../../../shared/basics/parsed-json.ts'
import { writeDurably } from '../durable.ts'

const Times = z.record(z.string(), z.int())

/**
 * When files of a bucket were last asked for, in a file of this computer: a bucket cannot note it without a copy of the
 * object.
 */
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
    return new AskedTimes(file, life, new Map(Object.entries(parsed(text))))
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

function parsed(text: string): Readonly<Record<string, number>> {
  return Times.safeParse(parsedJson(text)).data ?? {}
}
