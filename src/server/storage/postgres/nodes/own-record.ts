import { setTimeout as delay } from 'node:timers/promises'
import type { Queries } from '../connection/queries.ts'
import type { NodeRecord, ServedPart } from './registration.ts'

const SQL = {
  describe: 'UPDATE nodes SET address = $2, state = $3 WHERE id = $1 AND ended_at IS NULL',
  serve: `WITH told AS (
      UPDATE leases SET catalog_revision = $2, people_revision = $3 WHERE node = $1 RETURNING node
    )
    SELECT pg_notify('tidegate', 'served') FROM told`,
} as const

/** Milliseconds until a write that failed is tried again. */
const RETRY_TIME = 200

interface OwnRecordOptions {
  /** Returns the current id of the node. */
  readonly id: () => number
  /** New revisions were written. */
  readonly onServed: () => void
}

/**
 * Writes what the node tells others. Values that come while one is being written are written together, the latest of each;
 * what fails is tried again.
 */
export class OwnRecord implements NodeRecord {
  readonly #queries: Queries
  readonly #options: OwnRecordOptions
  #address: string | null = null
  #state: object = {}
  #served: Readonly<Record<ServedPart, number>>
  readonly #due = new Set<'describe' | 'serve'>()
  #writing: Promise<void> | undefined
  #isClosed = false

  constructor(queries: Queries, served: NodeRecord['served'], options: OwnRecordOptions) {
    this.#queries = queries
    this.#served = served
    this.#options = options
  }

  get address(): string | null {
    return this.#address
  }

  get state(): object {
    return this.#state
  }

  get served(): NodeRecord['served'] {
    return this.#served
  }

  /** Resolves once it is written, with everything that was set before. */
  async announce(address: string): Promise<void> {
    this.#address = address
    this.#write('describe')
    await this.#writing
  }

  /** Members that are left out stay as they were. */
  setState(state: object): void {
    this.#state = { ...this.#state, ...state }
    this.#write('describe')
  }

  /** The revision can be lower than before: a failover of the database may have lost commits. */
  setServed(part: ServedPart, revision: number): void {
    if (revision === this.#served[part]) return
    this.#served = { ...this.#served, [part]: revision }
    this.#write('serve')
  }

  /** The node has another id, with which it registered some of the values. */
  rewrite(): void {
    this.#write('describe')
    this.#write('serve')
  }

  /** Resolves once nothing is being written; what has not been is dropped. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#writing
  }

  #write(part: 'describe' | 'serve'): void {
    this.#due.add(part)
    if (!this.#isClosed) this.#writing ??= this.#writeDue()
  }

  async #writeDue(): Promise<void> {
    // What is set in the same turn of the event loop is written together.
    await null
    for (const part of this.#parts()) {
      this.#due.delete(part)
      try {
        if (part === 'serve') await this.#writeServed()
        else await this.#describe()
      } catch {
        this.#due.add(part)
        await delay(RETRY_TIME, undefined, { ref: false })
      }
    }
    this.#writing = undefined
  }

  /** What is due, revisions first: changes wait for them. */
  *#parts(): Generator<'describe' | 'serve'> {
    while (!this.#isClosed && this.#due.size > 0)
      yield this.#due.has('serve') ? 'serve' : 'describe'
  }

  async #writeServed(): Promise<void> {
    const { catalog, people } = this.#served
    await this.#queries.run(SQL.serve, [this.#options.id(), catalog, people])
    this.#options.onServed()
  }

  async #describe(): Promise<void> {
    const values = [this.#options.id(), this.#address, JSON.stringify(this.#state)]
    await this.#queries.run(SQL.describe, values)
  }
}
