import { MAX_LABELS } from '../../../shared/devices/counting.ts'
import type { LabelMap } from '../../../shared/names.ts'
import { Refusal } from '../../catalog/errors.ts'
import type { DeviceLabelDelta } from '../../fleet/check-in.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { type LabelDelta, mergeLabels, NO_LABELS } from '../../fleet/labels.ts'

/** The labels of a device of a fleet call, merged. */
export interface ItemLabels {
  readonly labels: LabelMap
  /** Set if the labels differ from the stored ones. */
  readonly changed: LabelDelta | undefined
}

interface LabelledItem {
  readonly deviceId: string
  readonly labels?: LabelMap | undefined
}

export const NO_ITEM_LABELS: ItemLabels = { labels: NO_LABELS, changed: undefined }

/**
 * Merges the labels of each item over the stored ones; of two items for one device the second
 * goes on from the first. Stored labels are read only for items that send labels or that `needed`
 * names; the others get none. Refuses an item whose device would have more
 * than it can keep.
 */
export async function readItemLabels<Item extends LabelledItem>(
  fleet: Fleet,
  appKey: number,
  items: readonly Item[],
  needed: (item: Item) => boolean,
): Promise<readonly ItemLabels[]> {
  const wanted = items.filter((item) => item.labels !== undefined || needed(item))
  if (wanted.length === 0) return []
  const ids = [...new Set(wanted.map(({ deviceId }) => deviceId))]
  const stored = await fleet.labelsOf(appKey, ids)
  const current = new Map(ids.map((id, index) => [id, stored[index] ?? NO_LABELS]))
  return items.map((item, index) => {
    const before = current.get(item.deviceId)
    if (before === undefined) return NO_ITEM_LABELS
    const { labelBytes } = fleet
    const { labels, delta, exceeded } = mergeLabels(before, item.labels ?? NO_LABELS, labelBytes)
    if (exceeded !== undefined) {
      throw new Refusal({
        code: 'labels_exceeded',
        path: ['devices', String(index), 'labels'],
        limit: exceeded,
        maximum: exceeded === 'labels' ? MAX_LABELS : labelBytes,
      })
    }
    current.set(item.deviceId, labels)
    return { labels, changed: delta }
  })
}

/** Returns the label changes of a call as facts. `merged`: those of each of the items. */
export function labelDeltasOf(
  appKey: number,
  at: number,
  items: readonly LabelledItem[],
  merged: readonly Pick<ItemLabels, 'changed'>[],
): DeviceLabelDelta[] {
  const deltas: DeviceLabelDelta[] = []
  for (const [index, { changed }] of merged.entries()) {
    const deviceId = items[index]?.deviceId
    if (changed !== undefined && deviceId !== undefined) {
      deltas.push({ appKey, deviceId, at, ...changed })
    }
  }
  return deltas
}
