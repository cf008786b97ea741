import { diffArrays } from 'diff'

/** Lines in a row that both texts have, or that only one of them has. */
export interface LineRun {
  readonly kind: 'same' | 'removed' | 'added'
  readonly lines: readonly string[]
}

interface LineDiff {
  /** In the order of the texts; what was removed comes before what was added in its place. */
  readonly runs: readonly LineRun[]
  /** False if the texts differ too much: what lies between their common ends is then one change. */
  readonly isExact: boolean
}

/** Most changed lines, and milliseconds, of the search for the fewest changed lines. */
const DIFF_BOUNDS = { maxEditLength: 500, timeout: 1_000 }

/** Returns the lines of a text; none for an empty one. A line break at its end begins no other line. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Compares two texts line by line. Within the bounds, no fewer lines can have changed. */
export function diffLines(
  before: readonly string[],
  after: readonly string[],
  bounds = DIFF_BOUNDS,
): LineDiff {
  const shortest = Math.min(before.length, after.length)
  let start = 0
  while (start < shortest && before[start] === after[start]) start++
  let end = 0
  while (end < shortest - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const from = before.slice(start, before.length - end)
  const to = after.slice(start, after.length - end)
  const changes = diffArrays(from, to, bounds)
  const runs: LineRun[] = []
  if (start > 0) runs.push({ kind: 'same', lines: before.slice(0, start) })
  let removed: readonly string[] = changes === undefined ? from : []
  let added: readonly string[] = changes === undefined ? to : []
  const same = (lines: readonly string[]) => {
    const found = [
      { kind: 'removed', lines: removed },
      { kind: 'added', lines: added },
      { kind: 'same', lines },
    ] as const
    runs.push(...found.filter((run) => run.lines.length > 0))
    removed = []
    added = []
  }
  for (const change of changes ?? []) {
    if (change.removed) removed = [...removed, ...change.value]
    else if (change.added) added = [...added, ...change.value]
    else same(change.value)
  }
  same(before.slice(before.length - end))
  return { runs, isExact: changes !== undefined }
}
