import type { ShareOf, Upload } from './uploads.ts'

/** Bytes that an upload takes beyond those that have arrived: at least what one of several nodes receives until it says so. */
export const RESERVE = 20 * 1_024 ** 2
/** Bytes per millisecond at which an upload makes progress, and milliseconds without any after which it stalls. */
export const PROGRESS = 16
export const STALLED_AFTER = 60_000

/** What tells an upload that makes room from others. */
export type Holding = Pick<Upload, 'owner' | 'size' | 'offset' | 'touchedAt'>

/** Bytes that an upload takes, whatever was announced. */
export function bytesHeld({ size, offset }: Pick<Upload, 'size' | 'offset'>): number {
  return offset + Math.min(size - offset, RESERVE)
}

/** Returns when an upload last made progress (Unix ms), after `bytes` have arrived. A trickle makes none, and keeps nothing. */
export function touched(before: number, bytes: number, now: number): number {
  return Math.min(now, Math.max(before, now - STALLED_AFTER) + Math.floor(bytes / PROGRESS))
}

/** Returns whether an upload can be deleted for others: it has stalled, or little of it is lost. */
export function canYield({ size, offset, touchedAt }: Holding, now: number): boolean {
  return offset < size && (offset < RESERVE || now - touchedAt > STALLED_AFTER)
}

/**
 * Returns which of `candidates` gives way to an upload of `owner`: that without progress for longest, of the share that
 * holds most; within one share, of the owner that does. Undefined if none holds more than `owner`. `held`: of an upload.
 */
export function firstToYield<T extends Holding>(
  { uploads, candidates }: { readonly uploads: readonly T[]; readonly candidates: readonly T[] },
  { owner, shareOf }: { readonly owner: string; readonly shareOf: ShareOf },
  held: (upload: T) => number,
): T | undefined {
  const share = shareOf(owner)
  const isOwnShare = (each: T) => shareOf(each.owner) === share
  const others = candidates.filter((each) => !isOwnShare(each))
  return (
    largestFirst(uploads, others, { own: share, keyOf: (each) => shareOf(each.owner), held }) ??
    largestFirst(uploads, candidates.filter(isOwnShare), {
      ...{ own: owner, keyOf: (each) => each.owner, held },
    })
  )
}

interface Comparison<T> {
  readonly own: string | undefined
  readonly keyOf: (upload: T) => string | undefined
  readonly held: (upload: T) => number
}

function largestFirst<T extends Holding>(
  uploads: readonly T[],
  candidates: readonly T[],
  { own, keyOf, held }: Comparison<T>,
): T | undefined {
  const sums = new Map<string | undefined, number>()
  for (const each of uploads) sums.set(keyOf(each), (sums.get(keyOf(each)) ?? 0) + held(each))
  const sumOf = (each: T) => sums.get(keyOf(each)) ?? 0
  return candidates
    .filter((each) => sumOf(each) > (sums.get(own) ?? 0))
    .toSorted((a, b) => sumOf(b) - sumOf(a) || a.touchedAt - b.touchedAt)[0]
}
