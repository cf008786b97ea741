import type { Issue } from '../../shared/issue.ts'
import { kindOfRefusal, type RefusalFacts } from '../../shared/refusal.ts'
import type { RefusalKind } from '../../shared/refusal-kind.ts'

/** A refusal that the caller can act on; anything else thrown is our failure. Sentences are made of the facts where it is shown. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly facts: RefusalFacts
  readonly kind: RefusalKind

  constructor(facts: RefusalFacts) {
    super(facts.code)
    this.facts = facts
    this.kind = kindOfRefusal(facts.code)
  }
}

/** Returns the refusal of an input that breaks a schema. */
export function invalid({ path, reason }: Issue): Refusal {
  return new Refusal({ code: 'invalid_input', path: path.map(String), reason })
}

/** The catalog or the accounts cannot be written right now. `cause` names local files and belongs in the log. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'

  constructor(cause?: unknown) {
    super('unavailable', { cause })
  }
}

/** This server has lost contact with the others on its storage: what it has in memory may be out of date. */
export class OutOfContact extends Error {
  override readonly name = 'OutOfContact'

  constructor() {
    super('out of contact')
  }
}

/** Returns whether an error of a store is temporary. */
export function isTemporary(error: unknown): boolean {
  return error instanceof Error && 'isTemporary' in error && error.isTemporary === true
}

/** Runs a write. Throws `Unavailable` for a failure that passes by itself. */
export async function temporarily<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    throw isTemporary(error) ? new Unavailable(error) : error
  }
}
