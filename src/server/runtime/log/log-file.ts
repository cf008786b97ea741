import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  write,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { restrict } from '../account.ts'

const writeSome = promisify(write)

/** Where log lines go. Each method throws the error of the operating system. */
export interface LogTarget {
  /** Makes room for a chunk of that many bytes, before its first byte is written. */
  prepare(bytes: number): void
  /** Writes as much as possible at once, and returns the number of bytes written. */
  write(chunk: Buffer, offset: number): Promise<number>
  writeSync(chunk: Buffer, offset: number): number
}

/** A file descriptor that someone else opened, such as that of stderr. */
export class LogDescriptor implements LogTarget {
  readonly #descriptor: number

  constructor(descriptor: number) {
    this.#descriptor = descriptor
  }

  prepare(): void {}

  async write(chunk: Buffer, offset: number): Promise<number> {
    return (await writeSome(this.#descriptor, chunk, offset)).bytesWritten
  }

  writeSync(chunk: Buffer, offset: number): number {
    return writeSync(this.#descriptor, chunk, offset)
  }
}

export interface LogFileOptions {
  /** Maximum bytes of a file, unless a single chunk is larger. */
  readonly maxBytes: number
  /** How many files are kept, including the current one. */
  readonly keep: number
}

/** A file that is rotated when it is full (`server.log.1`, `.2`, …; the oldest is deleted). Opened with the first chunk. */
export class LogFile implements LogTarget {
  readonly #file: string
  readonly #maxBytes: number
  readonly #keep: number
  #descriptor: number | undefined
  #size = 0
  #isMoved = false

  constructor(file: string, { maxBytes, keep }: LogFileOptions) {
    this.#file = file
    this.#maxBytes = maxBytes
    this.#keep = keep
  }

  prepare(bytes: number): void {
    if (this.#isMoved) this.close()
    this.#isMoved = false
    this.#descriptor ??= this.#open()
    if (this.#size === 0 || this.#size + bytes <= this.#maxBytes) return
    closeSync(this.#descriptor)
    this.#descriptor = undefined
    this.#setAside()
    this.#descriptor = this.#open()
  }

  async write(chunk: Buffer, offset: number): Promise<number> {
    const { bytesWritten } = await writeSome(this.#opened(), chunk, offset)
    this.#size += bytesWritten
    return bytesWritten
  }

  writeSync(chunk: Buffer, offset: number): number {
    const bytes = writeSync(this.#opened(), chunk, offset)
    this.#size += bytes
    return bytes
  }

  /** Opens the file again before the next chunk, because another program may have moved it. */
  reopen(): void {
    this.#isMoved = true
  }

  /** Closes the file; the next chunk opens it again. */
  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }

  #opened(): number {
    this.#descriptor ??= this.#open()
    return this.#descriptor
  }

  #open(): number {
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 })
    const descriptor = openSync(this.#file, 'a', 0o600)
    // Earlier versions left them readable by others.
    for (let age = 0; age < this.#keep; age++) restrict(this.#name(age), 0o600)
    this.#size = fstatSync(descriptor).size
    return descriptor
  }

  /** Starts with the oldest. If one cannot be renamed, the newest would grow, so it counts as a failure. */
  #setAside(): void {
    rmSync(this.#name(this.#keep - 1), { force: true })
    for (let age = this.#keep - 2; age >= 0; age--) {
      try {
        renameSync(this.#name(age), this.#name(age + 1))
      } catch (error) {
        const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
        if (!isMissing) throw error
      }
    }
  }

  #name(age: number): string {
    return age === 0 ? this.#file : `${this.#file}.${age}`
  }
}
