import { statfs } from 'node:fs/promises'
import { Refusal } from '../catalog/errors.ts'
import type { Upload } from './upload-info.ts'

interface Options {
  readonly folder: string
  /** Most bytes of all files; 0 for no limit. */
  readonly quotaBytes: number
  /** Bytes that stay free on the disk. */
  readonly minFreeBytes: number
  /** Returns the free bytes on the folder's disk that this account can use. */
  readonly freeBytes?: ((folder: string) => Promise<number>) | undefined
}

/** What takes space. An upload takes all of it from its beginning. */
interface Taken {
  /** Bytes of the files that are complete. */
  readonly stored: number
  readonly uploads: readonly Pick<Upload, 'size' | 'offset'>[]
}

/** How much may be stored. */
export class SpaceLimits {
  readonly #options: Options
  readonly #freeBytes: (folder: string) => Promise<number>

  constructor(options: Options) {
    this.#options = options
    this.#freeBytes = options.freeBytes ?? freeBytesOf
  }

  /** Most bytes of all files; null for no limit. */
  get quotaBytes(): number | null {
    const { quotaBytes } = this.#options
    return quotaBytes === 0 ? null : quotaBytes
  }

  /** Throws `hosting_full` if the uploads do not fit into the quota, or not on the disk. */
  async require({ stored, uploads }: Taken): Promise<void> {
    const { folder, quotaBytes, minFreeBytes } = this.#options
    const total = stored + sum(uploads.map(({ size }) => size))
    if (quotaBytes > 0 && total > quotaBytes) {
      throw new Refusal({ code: 'hosting_full', limit: 'quota', missingBytes: total - quotaBytes })
    }
    const missing = sum(uploads.map(({ size, offset }) => size - offset))
    const left = (await this.#freeBytes(folder)) - missing - minFreeBytes
    if (left < 0) throw new Refusal({ code: 'hosting_full', limit: 'disk', missingBytes: -left })
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
