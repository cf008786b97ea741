/** Letters of a prefix whose two cases have ranges of their own: at most 64 ranges. */
const CASED_LETTERS = 6

/** Above every character of a device id, which is printable ASCII. */
export const ABOVE_ALL = '\x7f'

/** Ids from `from` on, and below `to`. */
export interface IdRange {
  readonly from: string
  readonly to: string
}

/**
 * Returns ranges of an index of device ids that hold every id that begins with `prefix` in any case, ascending and
 * apart from each other. With more than `CASED_LETTERS` letters, other ids are in them too: compare with `LIKE`.
 */
export function idRanges(prefix: string): IdRange[] {
  let starts = ['']
  let letters = 0
  for (const character of prefix) {
    const cases = [...new Set([character.toUpperCase(), character.toLowerCase()])]
    if (cases.length === 2 && ++letters > CASED_LETTERS) break
    starts = starts.flatMap((start) => cases.map((one) => start + one))
  }
  return starts.toSorted().map((from) => ({ from, to: from + ABOVE_ALL }))
}

/** Returns the pattern of `LIKE … ESCAPE '\'` for texts that begin with `prefix`. */
export function likePrefix(prefix: string): string {
  return `${prefix.replaceAll(/[\\%_]/g, '\\$&')}%`
}
