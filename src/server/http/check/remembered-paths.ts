import type { Snapshot } from '../../catalog/snapshot.ts'

/** Most addresses that are remembered. A fleet uses a few hundred: channels × platforms × versions. */
const MAX_REMEMBERED = 10_000

/** Reads what checks ask for, each address once: a fleet repeats few of them. */
export class RememberedPaths<Asked> {
  readonly #parse: (address: string, snapshot: Snapshot) => Asked | undefined
  readonly #remembered = new Map<string, Asked>()
  #snapshot: Snapshot | undefined

  /** `parse` answers undefined for an address of another shape, and throws refusals. */
  constructor(parse: (address: string, snapshot: Snapshot) => Asked | undefined) {
    this.#parse = parse
  }

  /** Returns what `parse` answers in that state of the catalog. Throws what it throws. */
  read(address: string, snapshot: Snapshot): Asked | undefined {
    if (this.#snapshot !== snapshot) {
      this.#remembered.clear()
      this.#snapshot = snapshot
    }
    const known = this.#remembered.get(address)
    if (known !== undefined) return known
    // A copy: what is cut from a URL keeps all of the URL in memory for as long as it is remembered.
    const own = Buffer.from(address, 'latin1').toString('latin1')
    const fresh = this.#parse(own, snapshot)
    if (fresh === undefined) return undefined
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear()
    this.#remembered.set(own, fresh)
    return fresh
  }
}
