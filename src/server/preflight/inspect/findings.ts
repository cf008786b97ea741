import { canonicalArch } from '../../../shared/devices/aliases.ts'
import { type Budget, ReadFailure, Unread } from './budget.ts'
import {
  type FileFacts,
  type FileKind,
  type Note,
  type Part,
  VERSION_SOURCES,
  type VersionSource,
} from './facts.ts'

type Said = Omit<FileFacts, 'kind' | 'arch' | 'version' | 'versions' | 'publisher' | 'notes'>

/** What was found so far, also in files inside the file. */
export class Findings {
  readonly budget: Budget
  kind: FileKind = 'unknown'
  /** Whether the files of an app were listed to their end. */
  isListed = false
  readonly #arches = new Set<string>()
  #own: string | undefined
  readonly #versions = new Map<VersionSource, string>()
  #publisher: FileFacts['publisher'] = {}
  #said: Said = {}
  readonly #notes = new Map<string, Note>()

  constructor(budget: Budget) {
    this.budget = budget
  }

  /** Adds an architecture, in any spelling. */
  addArch(arch: string): void {
    this.#arches.add(canonicalArch(arch))
  }

  /** Names the architecture that the file itself is for, whatever the programs inside are for. */
  setArch(arch: string): void {
    this.#own = canonicalArch(arch)
  }

  /** Adds a version, unless an earlier file had one at the same place. */
  addVersion(source: VersionSource, text: string | undefined): void {
    const plain = text?.trim() ?? ''
    if (plain !== '' && !this.#versions.has(source)) this.#versions.set(source, plain)
  }

  setPublisher(publisher: FileFacts['publisher']): void {
    this.#publisher = { ...publisher, ...this.#publisher }
  }

  /** Adds what was not said before: what is found first wins. */
  say(said: Said): void {
    this.#said = { ...said, ...this.#said }
  }

  note(note: Note): void {
    this.#notes.set(JSON.stringify(note), note)
  }

  /** Reads a part, closes what that has opened, and notes why it cannot be read. Throws only what reading the file itself throws. */
  async attempt<T>(part: Part, read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await this.budget.closing(read)
    } catch (error) {
      if (error instanceof ReadFailure) throw error
      this.note({ ...whyOf(error), part })
      return undefined
    }
  }

  facts(): FileFacts {
    const versions = VERSION_SOURCES.flatMap((source) => {
      const text = this.#versions.get(source)
      return text === undefined ? [] : [{ source, text }]
    })
    const [first] = versions
    const arches = this.#own === undefined ? [...this.#arches] : [this.#own]
    return {
      kind: this.kind,
      ...(arches.length === 0 ? {} : { arch: arches.toSorted() }),
      ...(first === undefined ? {} : { version: first.text }),
      versions,
      publisher: this.#publisher,
      ...(this.#hasNoElectronUpdate() ? { electronUpdate: null } : {}),
      ...this.#said,
      notes: [...this.#notes.values()],
    }
  }

  /** That it was not found says nothing where something was not read. */
  #hasNoElectronUpdate(): boolean {
    const parts = [...this.#notes.values()].map(({ part }) => part)
    return this.isListed && !parts.some((part) => part === 'contents' || part === 'electron_update')
  }
}

/** Reading a number beyond the end of a buffer throws a `RangeError`: the file ends too early. */
function whyOf(error: unknown) {
  if (error instanceof Unread) return error.why
  if (error instanceof RangeError) return { code: 'damaged' } as const
  throw error
}
