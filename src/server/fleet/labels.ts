import { type LabelMap, MAX_LABELS } from '../../shared/names.ts'

export const NO_LABELS: LabelMap = {}

/** What became of a merge. `labels` is the very `stored` where nothing changed. */
export interface MergedLabels {
  readonly labels: LabelMap
  /** How many labels found no room among the 64 that a device can hold. */
  readonly excess: number
}

/**
 * Merges labels as they were sent over the stored ones: a value replaces the one of its key, an
 * empty value removes it. Keys that find no room are left out, in the order sent.
 */
export function mergeLabels(stored: LabelMap, sent: LabelMap): MergedLabels {
  const changes = Object.entries(sent).filter(
    ([key, value]) => (labelOf(stored, key) ?? '') !== value,
  )
  if (changes.length === 0) return { labels: stored, excess: 0 }
  const merged = new Map(Object.entries(stored))
  for (const [key, value] of changes) if (value === '') merged.delete(key)
  let excess = 0
  for (const [key, value] of changes) {
    if (value === '') continue
    if (merged.has(key) || merged.size < MAX_LABELS) merged.set(key, value)
    else excess++
  }
  return { labels: Object.fromEntries(merged), excess }
}

/** A label may be called `constructor`: what an object inherits is none of its labels. */
function labelOf(labels: LabelMap, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined
}
