import { isDeepStrictEqual } from 'node:util'
import type { Freeze } from '../../../shared/freeze.ts'
import { auditEntry } from '../audit.ts'
import type { Actor } from '../audit-log.ts'
import type { Catalog } from '../catalog.ts'
import { Refusal } from '../errors.ts'
import type { AppRecord } from '../records.ts'
import { storedActiveApp } from '../stored.ts'

/** The freezes of an app as they are to be, and those that they were decided on; undefined for any. */
export interface FreezesToSet {
  readonly freezes: readonly Freeze[]
  readonly seen?: readonly Freeze[] | undefined
}

/**
 * Sets the days on which no plan of an app applies a step, in order. What is the same changes nothing. Throws `unknown`,
 * and `invariant` if the freezes have changed since those that were seen.
 */
export async function setFreezes(
  catalog: Catalog,
  actor: Actor,
  app: AppRecord,
  { freezes, seen }: FreezesToSet,
): Promise<readonly Freeze[]> {
  const after = freezes.toSorted((one, other) => (one.firstDay < other.firstDay ? -1 : 1))
  return await catalog.change(async (tx) => {
    const { freezes: before } = await storedActiveApp(tx, app)
    if (seen !== undefined && !isDeepStrictEqual(seen, before)) {
      throw new Refusal({ code: 'freezes_changed', app: app.ref })
    }
    if (isDeepStrictEqual(before, after)) return before
    const at = catalog.timestamp()
    await tx.setFreezes(app.key, after)
    const subject = { app: app.ref }
    const states = [{ freezes: before }, { freezes: after }] as const
    await tx.appendAudit(auditEntry(at, actor, 'app.freezes_changed', subject, ...states))
    return after
  })
}
