import type { NamedCopy } from './names.ts'

/** When the last copy was made, by both clocks of the process; undefined if it is not known. */
export interface LastCopy {
  /** Unix time in milliseconds. */
  readonly at: number | undefined
  /** Milliseconds on the monotonic clock; known for copies that this process made. */
  readonly ticks: number | undefined
}

/**
 * Whether a copy is due. A wall clock that was set back must not put it off, which the monotonic
 * clock sees to; that one stands still while the computer sleeps, which the wall clock sees to. A
 * backup from the future is ignored.
 */
export function isDue(last: LastCopy, every: number, now: number, ticks: number): boolean {
  const byWall = last.at === undefined || last.at > now ? undefined : now - last.at
  const byTicks = last.ticks === undefined ? undefined : ticks - last.ticks
  if (byWall === undefined && byTicks === undefined) return true
  return Math.max(byWall ?? 0, byTicks ?? 0) >= every
}

/**
 * The copies to delete so that `keep` are left, 1 or more: the newest, and always `made`, the one
 * just made. Copies of other owners are never among them. Where the clock was set back, copies from
 * the future count as the oldest: otherwise they would stay, and every true one would go.
 */
export function copiesToDelete(
  copies: readonly NamedCopy[],
  made: NamedCopy,
  keep: number,
): readonly NamedCopy[] {
  const age = ({ at }: NamedCopy) => (at > made.at ? 1 : 0)
  return copies
    .filter(({ owner, name }) => owner === made.owner && name !== made.name)
    .sort((a, b) => age(a) - age(b) || b.at - a.at)
    .slice(Math.max(keep - 1, 0))
}
