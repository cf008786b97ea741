import type { LabelMap } from '../../../../../shared/names.ts'
import { applyDelta, composeDeltas, type LabelDelta } from '../../../../fleet/labels.ts'
import type { Fact } from '../ingest/fact.ts'

interface Pending {
  /** What all of them do. It stays until the last one is stored: to apply a stored one again changes nothing. */
  readonly delta: LabelDelta
  readonly changes: number
}

/** The changes of labels that this node has recorded and not yet stored: its own next check finds them. */
export class PendingLabels {
  readonly #byDevice = new Map<string, Pending>()

  /** A fact is queued. */
  add(fact: Fact): void {
    const change = changeOf(fact)
    if (change === undefined) return
    const { key, delta } = change
    const before = this.#byDevice.get(key)
    this.#byDevice.set(key, {
      delta: before === undefined ? delta : composeDeltas(before.delta, delta),
      changes: (before?.changes ?? 0) + 1,
    })
  }

  /** A queued fact is stored, or given up. */
  remove(fact: Fact): void {
    const key = changeOf(fact)?.key
    const pending = key === undefined ? undefined : this.#byDevice.get(key)
    if (key === undefined || pending === undefined) return
    if (pending.changes === 1) this.#byDevice.delete(key)
    else this.#byDevice.set(key, { ...pending, changes: pending.changes - 1 })
  }

  /** Returns stored labels with what is pending for the device. `key`: see `keyOf`. */
  over(key: string, stored: LabelMap): LabelMap {
    const pending = this.#byDevice.get(key)
    return pending === undefined ? stored : applyDelta(stored, pending.delta)
  }
}

/** Returns the name of a device among those of all apps. */
export function keyOf(appKey: number, deviceId: string): string {
  return `${appKey} ${deviceId}`
}

function changeOf(fact: Fact): { readonly key: string; readonly delta: LabelDelta } | undefined {
  if (fact.kind === 'labels') {
    const { appKey, deviceId } = fact.delta
    return { key: keyOf(appKey, deviceId), delta: fact.delta }
  }
  if (fact.kind !== 'check_in' || fact.labels === undefined) return undefined
  const { appKey, deviceId } = fact.checkIn
  return deviceId === null ? undefined : { key: keyOf(appKey, deviceId), delta: fact.labels }
}
