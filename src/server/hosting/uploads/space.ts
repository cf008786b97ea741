import { statfs } from 'node:fs/promises'
import { Refusal } from '../../catalog/errors.ts'
import { bytesHeld, canYield, firstToYield } from './shares.ts'
import type { ShareOf, Upload } from './uploads.ts'

/** Uploads at the same time. */
export const MAX_UPLOADS = 100

export interface SpaceOptions {
  readonly folder: string
  /** Most bytes of all files; 0 for no limit. */
  readonly quotaBytes: number
  /** Bytes that stay free on the disk. */
  readonly minFreeBytes: number
  /** Returns the free bytes on the folder's disk that this account can use. */
  readonly freeBytes?: ((folder: string) => Promise<number>) | undefined
}

/** What takes space: of an upload that which has arrived, and a reserve. */
interface Taken {
  /** Bytes of the files that are complete. */
  readonly stored: number
  /** With the one that wants space. */
  readonly uploads: readonly Upload[]
  readonly shareOf: ShareOf
  /** Unix time in milliseconds. */
  readonly now: number
}

interface Asked extends Pick<Taken, 'stored' | 'uploads'> {
  readonly given: readonly Upload[]
  readonly wanting: Upload
  readonly wants: 'all' | 'next'
  readonly freeBytes: number
}

/** How much may be stored. */
export class SpaceLimits {
  readonly #options: SpaceOptions
  readonly #freeBytes: (folder: string) => Promise<number>

  constructor(options: SpaceOptions) {
    this.#options = options
    this.#freeBytes = options.freeBytes ?? freeBytesOf
  }

  /** Most bytes of all files; null for no limit. */
  get quotaBytes(): number | null {
    const { quotaBytes } = this.#options
    return quotaBytes === 0 ? null : quotaBytes
  }

  /**
   * Lets an upload begin, for which all of it must fit, or go on, for which the next of it must. Returns the uploads that
   * have to be deleted for that: those of revoked keys, and those of whoever holds more than the owner. Throws
   * `unknown_file_upload` if the upload is not among the others or its key is revoked, `too_many_uploads`, and
   * `hosting_full` if it does not fit into the quota, or not on the disk.
   */
  async admit(id: string, wants: 'all' | 'next', taken: Taken): Promise<Upload[]> {
    const { shareOf, now } = taken
    const wanting = taken.uploads.find((each) => each.id === id)
    if (wanting === undefined || shareOf(wanting.owner) === undefined) {
      throw new Refusal({ code: 'unknown_file_upload' })
    }
    const freeBytes = await this.#freeBytes(this.#options.folder)
    const given = taken.uploads.filter(({ owner }) => shareOf(owner) === undefined)
    for (;;) {
      const uploads = taken.uploads.filter((each) => !given.includes(each))
      const refusal = this.#refusal({ ...taken, uploads, given, wanting, wants, freeBytes })
      if (refusal === undefined) return given
      const others = uploads.filter((each) => each !== wanting)
      const by = { owner: wanting.owner, shareOf }
      const isPlace = refusal.facts.code === 'too_many_uploads'
      const candidates = isPlace ? others : others.filter((each) => canYield(each, now))
      const next = firstToYield({ uploads, candidates }, by, isPlace ? () => 1 : bytesHeld)
      if (next === undefined) throw refusal
      given.push(next)
    }
  }

  /** Whether so many bytes that no quota counts fit on the disk. */
  async hasRoomFor(bytes: number): Promise<boolean> {
    const { folder, minFreeBytes } = this.#options
    return (await this.#freeBytes(folder)) - bytes >= minFreeBytes
  }

  /** Why the upload that wants space has none with those that are left; undefined if it does. */
  #refusal(asked: Asked): Refusal | undefined {
    const { stored, uploads, given, wanting, wants, freeBytes } = asked
    const { quotaBytes, minFreeBytes } = this.#options
    if (wants === 'all' && uploads.length > MAX_UPLOADS) {
      return new Refusal({ code: 'too_many_uploads', maximum: MAX_UPLOADS })
    }
    const held = (each: Upload) =>
      each === wanting && wants === 'all' ? each.size : bytesHeld(each)
    const total = stored + sum(uploads.map(held))
    if (quotaBytes > 0 && total > quotaBytes) {
      return new Refusal({ code: 'hosting_full', limit: 'quota', missingBytes: total - quotaBytes })
    }
    const missing = sum(uploads.map((each) => held(each) - each.offset))
    const freed = sum(given.map(({ offset }) => offset))
    const left = freeBytes + freed - missing - minFreeBytes
    if (left >= 0) return undefined
    return new Refusal({ code: 'hosting_full', limit: 'disk', missingBytes: -left })
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

/** Bytes that this account may still write to the disk of a folder. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
