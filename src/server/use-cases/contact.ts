import { OutOfContact, Refusal } from '../catalog/errors.ts'

/** The parts of the data that every server holds in memory. */
type ServedPart = 'catalog' | 'people'

export interface ContactParts {
  /** Whether what this server has in memory may be served. Very cheap. */
  readonly mayServe: () => boolean
  /** Resolves to true once no server serves an older revision, and to false if that takes too long. */
  readonly acknowledged: (part: ServedPart, revision: number) => Promise<boolean>
  /** Returns the revisions that this server serves. */
  readonly served: () => Readonly<Record<ServedPart, number>>
  /** Hears why the other servers could not be asked. */
  readonly onFailure: (error: unknown) => void
}

/** What a server owes to the others that serve from the same storage, before it answers. */
export class Contact {
  /** Whether what this server has in memory may be served. Read it right before an answer is sent. */
  readonly mayServe: () => boolean
  readonly #parts: ContactParts

  constructor(parts: ContactParts) {
    this.#parts = parts
    this.mayServe = parts.mayServe
  }

  /** Throws `OutOfContact` unless this server may serve what it has in memory. */
  require(): void {
    if (!this.mayServe()) throw new OutOfContact()
  }

  /**
   * Waits until no server serves anything older than this one does now: whatever was changed here before holds everywhere.
   * Returns false if another one has not confirmed that in time; the change is committed all the same.
   */
  async isConfirmed(): Promise<boolean> {
    const { catalog, people } = this.#parts.served()
    const asked = [this.#acknowledged('catalog', catalog), this.#acknowledged('people', people)]
    return !(await Promise.all(asked)).includes(false)
  }

  /** Waits as `isConfirmed` does. Throws the refusal `not_confirmed` in place of returning false. */
  async requireConfirmed(): Promise<void> {
    if (!(await this.isConfirmed())) throw new Refusal({ code: 'not_confirmed' })
  }

  async #acknowledged(part: ServedPart, revision: number): Promise<boolean> {
    try {
      return await this.#parts.acknowledged(part, revision)
    } catch (error) {
      this.#parts.onFailure(error)
      return false
    }
  }
}
