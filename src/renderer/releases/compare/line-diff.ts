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

/** Limits of the search for the fewest changed lines. */
export interface DiffBounds {
  /** Maximum number of changed lines. Memory grows with its square. */
  readonly edits: number
  /** Maximum number of comparisons of two lines. */
  readonly comparisons: number
}

const BOUNDS: DiffBounds = { edits: 500, comparisons: 1_000_000 }

/** Returns the lines of a text; none for an empty one. A line break at its end begins no other line. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/**
 * Compares two texts line by line. Within the bounds, no fewer lines can have changed.
 * Follows E. W. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986).
 */
export function diffLines(
  before: readonly string[],
  after: readonly string[],
  bounds: DiffBounds = BOUNDS,
): LineDiff {
  const [a, b] = numbered(before, after)
  const shortest = Math.min(a.length, b.length)
  let start = 0
  while (start < shortest && a[start] === b[start]) start++
  let end = 0
  while (end < shortest - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  const [from, to] = [a.subarray(start, a.length - end), b.subarray(start, b.length - end)]
  const trace = traceOf(from, to, bounds)
  const runs = new Runs(before, after)
  runs.same(start)
  if (trace === undefined) {
    runs.removed(from.length)
    runs.added(to.length)
  } else for (const step of stepsOf(trace, from.length, to.length)) runs[step](1)
  runs.same(end)
  return { runs: runs.list(), isExact: trace !== undefined }
}

/** Returns a number for each line, the same for equal ones: numbers are compared faster than texts. */
function numbered(...texts: readonly (readonly string[])[]): [Int32Array, Int32Array] {
  const numbers = new Map<string, number>()
  const [a = new Int32Array(), b = new Int32Array()] = texts.map((lines) =>
    Int32Array.from(lines, (line) => {
      const number = numbers.get(line) ?? numbers.size
      numbers.set(line, number)
      return number
    }),
  )
  return [a, b]
}

/**
 * Returns how far each diagonal from −edits to +edits had come before the round with that many edits; the last round
 * reaches both ends. Undefined beyond the bounds.
 */
function traceOf(a: Int32Array, b: Int32Array, bounds: DiffBounds): Int32Array[] | undefined {
  const most = Math.min(a.length + b.length, bounds.edits)
  const zero = most + 1
  const furthest = new Int32Array(2 * zero + 1)
  const trace: Int32Array[] = []
  let comparisons = 0
  for (let edits = 0; edits <= most; edits++) {
    trace.push(furthest.slice(zero - edits, zero + edits + 1))
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const right = (furthest[zero + diagonal - 1] ?? 0) + 1
      const down = furthest[zero + diagonal + 1] ?? 0
      let x = isDown(diagonal, edits, right - 1, down) ? down : right
      const reached = x
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++
      furthest[zero + diagonal] = x
      if (x >= a.length && x - diagonal >= b.length) return trace
      comparisons += x - reached + 1
      if (comparisons > bounds.comparisons) return undefined
    }
  }
  return undefined
}

/** Returns whether a diagonal is best reached from the one above: by a line of the second text. */
function isDown(diagonal: number, edits: number, below: number, above: number): boolean {
  return diagonal === -edits || (diagonal !== edits && below < above)
}

type Step = LineRun['kind']

/** Walks a trace back from both ends, and returns the steps in the order of the texts. */
function stepsOf(trace: readonly Int32Array[], length: number, otherLength: number): Step[] {
  const steps: Step[] = []
  let [x, y] = [length, otherLength]
  for (let edits = trace.length - 1; edits > 0; edits--) {
    const furthest = trace[edits]
    const at = (diagonal: number) => furthest?.[diagonal + edits] ?? 0
    const diagonal = x - y
    const down = isDown(diagonal, edits, at(diagonal - 1), at(diagonal + 1))
    const fromX = at(down ? diagonal + 1 : diagonal - 1)
    const edited = down ? fromX : fromX + 1
    for (; x > edited; x--, y--) steps.push('same')
    steps.push(down ? 'added' : 'removed')
    if (down) y--
    else x--
  }
  for (; x > 0; x--) steps.push('same')
  return steps.reverse()
}

/** Puts steps together: between two common lines, all that was removed, then all that was added. */
class Runs {
  readonly #before: readonly string[]
  readonly #after: readonly string[]
  readonly #done: LineRun[] = []
  #x = 0
  #y = 0
  #lines = { same: 0, removed: 0, added: 0 }

  constructor(before: readonly string[], after: readonly string[]) {
    this.#before = before
    this.#after = after
  }

  same(count: number): void {
    if (count > 0 && this.#lines.removed + this.#lines.added > 0) this.#close()
    this.#lines.same += count
  }

  removed(count: number): void {
    if (count > 0 && this.#lines.same > 0) this.#close()
    this.#lines.removed += count
  }

  added(count: number): void {
    if (count > 0 && this.#lines.same > 0) this.#close()
    this.#lines.added += count
  }

  list(): LineRun[] {
    this.#close()
    return this.#done
  }

  #close(): void {
    const { same, removed, added } = this.#lines
    const lines = {
      same: this.#before.slice(this.#x, this.#x + same),
      removed: this.#before.slice(this.#x, this.#x + removed),
      added: this.#after.slice(this.#y, this.#y + added),
    }
    for (const kind of ['same', 'removed', 'added'] as const) {
      if (lines[kind].length > 0) this.#done.push({ kind, lines: lines[kind] })
    }
    this.#x += same + removed
    this.#y += same + added
    this.#lines = { same: 0, removed: 0, added: 0 }
  }
}
