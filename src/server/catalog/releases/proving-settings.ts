import { isDeepStrictEqual } from 'node:util'
import type { ProvingSettings } from '../../../shared/proving.ts'
import { auditEntry } from '../audit.ts'
import type { Actor } from '../audit-log.ts'
import type { Catalog } from '../catalog.ts'
import { Refusal } from '../errors.ts'
import type { AppRecord } from '../records.ts'
import { storedActiveApp } from '../stored.ts'
import { OUTDATED } from './proofs.ts'

/** The members to change; the others, and those that are undefined, stay. */
export type ProvingChange = {
  readonly [Member in keyof ProvingSettings]?: ProvingSettings[Member] | undefined
}

/** A change of proving settings. */
export interface ProvingTask {
  readonly change: ProvingChange
  /** The settings that the change was decided on; undefined for any. */
  readonly seen?: ProvingSettings | undefined
  /** Hears of the hosts that are not allowed yet, inside the transaction; what it throws refuses the change. */
  readonly onAdded: (hosts: readonly string[]) => void
}

/**
 * Changes what the artifacts of an app are proven against; all that is served is then proven again soon. A change that
 * changes nothing writes nothing. Throws `unknown`, what `onAdded` throws, and `invariant` if the settings have changed
 * since those that were seen.
 */
export async function setProvingSettings(
  catalog: Catalog,
  actor: Actor,
  app: AppRecord,
  { change, seen, onAdded }: ProvingTask,
): Promise<ProvingSettings> {
  return await catalog.change(async (tx) => {
    const { proving: before } = await storedActiveApp(tx, app)
    if (seen !== undefined && !areSame(seen, before)) {
      throw new Refusal({ code: 'proving_changed', app: app.ref })
    }
    const { minisignKey = before.minisignKey, hosts = before.hosts } = change
    const { documentKeys = before.documentKeys } = change
    const lists = { hosts: [...new Set(hosts)], documentKeys: [...new Set(documentKeys)] }
    const after = { minisignKey, ...lists }
    onAdded(after.hosts.filter((host) => !before.hosts.includes(host)))
    if (areSame(before, after)) return before
    const at = catalog.timestamp()
    await tx.setProving(app.key, after)
    const isSameKey = after.minisignKey === before.minisignKey
    await tx.setProofsDue(app.key, isSameKey ? at : OUTDATED)
    const subject = { app: app.ref }
    await tx.appendAudit(auditEntry(at, actor, 'app.proving_changed', subject, before, after))
    return after
  })
}

function areSame(one: ProvingSettings, other: ProvingSettings): boolean {
  return (
    one.minisignKey === other.minisignKey &&
    isDeepStrictEqual(one.hosts, other.hosts) &&
    isDeepStrictEqual(one.documentKeys, other.documentKeys)
  )
}
