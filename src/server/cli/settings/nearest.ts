import leven from 'leven'

/**
 * Returns the name that was probably meant: the same but for case and separators, or else the one that the fewest
 * typing mistakes lead to. Undefined if none is near. `wrong` is read up to 64 characters.
 */
export function nearestName<Name extends string>(
  wrong: string,
  names: readonly Name[],
): Name | undefined {
  const typed = bare(wrong.slice(0, MAX_LENGTH))
  const candidates = names
    .map((name) => ({ name, mistakes: leven(typed, bare(name)) }))
    .filter(({ name, mistakes }) => mistakes <= Math.max(SLIPS, name.length * TOLERANCE))
    .toSorted((one, other) => one.mistakes - other.mistakes)
  return candidates[0]?.name
}

/** `tidegate_device-limit` and `deviceLimit` are the same. */
function bare(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z\d]/g, '')
    .replace(/^tidegate/, '')
}

/** Characters that are compared: more than any name has. */
const MAX_LENGTH = 64
/** Typing mistakes allowed in a short name: enough for two swapped letters. */
const SLIPS = 2
/** Typing mistakes allowed in a long name, as a share of its letters. */
const TOLERANCE = 0.4
