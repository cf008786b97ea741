import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from '../../hosting/durable.ts'
import type { FileFacts } from '../../preflight/inspect/facts.ts'
import { keepLatest } from '../../runtime/keep-latest.ts'
import { VERSION } from '../../runtime/version.ts'

const FILE = 'file-facts.jsonl'
/** Most files whose facts are remembered: those that were added last. */
const MAX_FILES = 2_000
/** Longest line that is written, in UTF-16 units. What is inside a file can be of any length. */
const MAX_LINE = 16_384

interface Line {
  /** Of the program whose readers found it: others may find more. */
  readonly reader: string
  /** SHA-512 of the file in hex. */
  readonly sha512: string
  readonly facts: FileFacts
}

/** What files say of themselves, by their SHA-512 in hex, also after a restart. Holds nothing that cannot be read again. */
export class FileMemory {
  readonly #file: string | undefined
  readonly #onFailure: (error: unknown) => void
  readonly #known = new Map<string, FileFacts>()
  #loaded: Promise<void> | undefined
  /** In the file. */
  #lines = 0

  /** `folder`: undefined to forget everything with the process. `onFailure` hears that the file could not be read or written. */
  constructor(folder?: string, onFailure: (error: unknown) => void = () => {}) {
    this.#file = folder === undefined ? undefined : join(folder, FILE)
    this.#onFailure = onFailure
  }

  async recall(sha512: string): Promise<FileFacts | undefined> {
    this.#loaded ??= this.#load().catch(this.#onFailure)
    await this.#loaded
    return this.#known.get(sha512)
  }

  async remember(sha512: string, facts: FileFacts): Promise<void> {
    this.#keep(sha512, facts)
    const line = lineOf(sha512, facts)
    if (this.#file === undefined || line.length > MAX_LINE) return
    this.#lines += 1
    const isShort = this.#lines <= 2 * MAX_FILES
    const write = isShort
      ? appendFile(this.#file, line, { mode: 0o600 })
      : this.#rewrite(this.#file)
    await write.catch(this.#onFailure)
  }

  #keep(sha512: string, facts: FileFacts): void {
    keepLatest(this.#known, sha512, facts, MAX_FILES)
  }

  async #load(): Promise<void> {
    const text = this.#file === undefined ? '' : await readFile(this.#file, 'utf8').catch(missing)
    const lines = text.split('\n').slice(0, -1)
    this.#lines = lines.length
    for (const line of lines) {
      const read = lineIn(line)
      if (read?.reader === VERSION) this.#keep(read.sha512, read.facts)
    }
  }

  async #rewrite(file: string): Promise<void> {
    const lines = [...this.#known].map(([sha512, facts]) => lineOf(sha512, facts))
    const kept = lines.filter((line) => line.length <= MAX_LINE)
    this.#lines = kept.length
    await writeDurably(file, kept.join(''))
  }
}

function lineOf(sha512: string, facts: FileFacts): string {
  return `${JSON.stringify({ reader: VERSION, sha512, facts } satisfies Line)}\n`
}

/** Undefined for what a crash has cut off. */
function lineIn(text: string): Line | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function missing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return ''
  throw error
}
