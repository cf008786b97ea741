import { MAX_LABELS } from '../../shared/devices/counting.ts'
import type { LabelMap } from '../../shared/names.ts'

export const NO_LABELS: LabelMap = {}

/** A change of a device's labels. Idempotent. */
export interface LabelDelta {
  readonly set: LabelMap
  readonly remove: readonly string[]
}

/** The result of a merge. */
export interface MergedLabels {
  /** All labels for the current decision, whether or not they fit. */
  readonly labels: LabelMap
  /** The labels that the device keeps. The same object as `stored` if nothing changed. */
  readonly kept: LabelMap
  /** The change from `stored` to `kept`; undefined if nothing changed. */
  readonly delta: LabelDelta | undefined
  /** How many of the labels sent did not fit, and which limit they exceed. */
  readonly excess: number
  readonly exceeded: 'labels' | 'bytes' | undefined
}

/**
 * Merges sent labels into the stored ones: a value replaces the one of its key, and an empty value removes
 * it. A device keeps at most 64 labels and `maxBytes` of them, UTF-8 bytes of
 * keys and values together. Changes that free space apply first; then labels that do not fit
 * are left out, in the order sent, and keep their stored value.
 */
export function mergeLabels(
  stored: LabelMap,
  sent: LabelMap,
  maxBytes: number = Number.POSITIVE_INFINITY,
): MergedLabels {
  const changes = Object.entries(sent).filter(
    ([key, value]) => (labelOf(stored, key) ?? '') !== value,
  )
  if (changes.length === 0) return { labels: stored, kept: stored, delta: undefined, ...NO_EXCESS }
  const labels = Object.fromEntries(merge(new Map(Object.entries(stored)), changes))
  const before = bytesOfAll(Object.entries(stored))
  const after = bytesOfAll(Object.entries(labels))
  // Devices from before the limit existed may exceed it. Changes that add nothing are accepted.
  if (Object.keys(labels).length <= MAX_LABELS && after <= Math.max(maxBytes, before)) {
    return { labels, kept: labels, delta: deltaOf(changes), ...NO_EXCESS }
  }
  return { labels, ...keep(stored, changes, before, maxBytes) }
}

/** Returns a change in the form in which labels are sent: an empty value removes one. */
export function asSent({ set, remove }: LabelDelta): LabelMap {
  if (remove.length === 0) return set
  return Object.fromEntries([...Object.entries(set), ...remove.map((key) => [key, ''] as const)])
}

/** Returns the change that does what `first` and then `second` do. */
export function composeDeltas(first: LabelDelta, second: LabelDelta): LabelDelta {
  const set = new Map(Object.entries(first.set))
  const remove = new Set(first.remove)
  for (const key of second.remove) {
    set.delete(key)
    remove.add(key)
  }
  for (const [key, value] of Object.entries(second.set)) {
    set.set(key, value)
    remove.delete(key)
  }
  return { set: Object.fromEntries(set), remove: [...remove] }
}

/** Returns labels with the change applied. */
export function applyDelta(labels: LabelMap, { set, remove }: LabelDelta): LabelMap {
  const changed = new Map([...Object.entries(labels), ...Object.entries(set)])
  for (const key of remove) changed.delete(key)
  return Object.fromEntries(changed)
}

const NO_EXCESS = { excess: 0, exceeded: undefined } as const

type Change = readonly [key: string, value: string]

function merge(labels: Map<string, string>, changes: readonly Change[]): Map<string, string> {
  for (const [key, value] of changes) {
    if (value === '') labels.delete(key)
    else labels.set(key, value)
  }
  return labels
}

/** Applies one change after the other, as long as they fit. */
function keep(
  stored: LabelMap,
  changes: readonly Change[],
  before: number,
  maxBytes: number,
): Omit<MergedLabels, 'labels'> {
  const growthOf = ([key, value]: Change) => {
    const old = labelOf(stored, key)
    return (value === '' ? 0 : bytesOf(key, value)) - (old === undefined ? 0 : bytesOf(key, old))
  }
  const growing = changes.filter((change) => growthOf(change) > 0)
  const others = changes.filter((change) => growthOf(change) <= 0)
  const kept = merge(new Map(Object.entries(stored)), others)
  let bytes = others.reduce((sum, change) => sum + growthOf(change), before)
  const room = Math.max(maxBytes, before)
  const applied = [...others]
  let excess = 0
  let exceeded: MergedLabels['exceeded']
  for (const change of growing) {
    const [key, value] = change
    const growth = growthOf(change)
    const isOneMore = !kept.has(key) && kept.size >= MAX_LABELS
    if (isOneMore || bytes + growth > room) {
      exceeded ??= isOneMore ? 'labels' : 'bytes'
      excess++
      continue
    }
    kept.set(key, value)
    applied.push(change)
    bytes += growth
  }
  if (applied.length === 0) return { kept: stored, delta: undefined, excess, exceeded }
  return { kept: Object.fromEntries(kept), delta: deltaOf(applied), excess, exceeded }
}

function deltaOf(changes: readonly Change[]): LabelDelta {
  return {
    set: Object.fromEntries(changes.filter(([, value]) => value !== '')),
    remove: changes.filter(([, value]) => value === '').map(([key]) => key),
  }
}

function bytesOfAll(labels: readonly Change[]): number {
  return labels.reduce((sum, [key, value]) => sum + bytesOf(key, value), 0)
}

function bytesOf(key: string, value: string): number {
  return Buffer.byteLength(key) + Buffer.byteLength(value)
}

/** A label can be named `constructor`: inherited members are not labels. */
function labelOf(labels: LabelMap, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined
}
