type Kind = 'text' | 'separator' | 'number'

/** Of two parts of different kinds, that of the higher kind is above. */
const RANKS: Readonly<Record<Kind, number>> = { text: 0, separator: 1, number: 2 }

const PART = /\d+|[\s\p{P}]|[^\d\s\p{P}]+/gu
const DASH = '-'

/**
 * Orders two bundle versions as Sparkle 2 does (`SUStandardVersionComparator.m`): negative where `one` is lower, 0 if they
 * are the same. Numbers, separators and texts are compared one by one; a text is below everything, and nothing counts that
 * follows a dash. So `1.0.43+260` is below `260`, and `1.0.0-beta.1` is the same as `1.0.0`.
 */
export function compareAsSparkle(one: string, other: string): number {
  const [a, b] = [partsOf(one), partsOf(other)]
  const [aNumbers, bNumbers] = [leadingNumbers(a), leadingNumbers(b)]
  // 1.1 is 1.1.0 beside 1.0.0, also in front of a text: 1.1b1.
  a.splice(aNumbers, 0, ...b.slice(aNumbers, bNumbers).map(padding))
  b.splice(bNumbers, 0, ...a.slice(bNumbers, aNumbers).map(padding))
  const both = Math.min(a.length, b.length)
  for (let at = 0; at < both; at += 1) {
    const order = compareParts(a[at] ?? '', b[at] ?? '')
    if (order !== 0) return order
  }
  if (a.length === b.length) return 0
  const longer = a.length > b.length ? 1 : -1
  return kindOf((longer > 0 ? a : b)[both] ?? '') === 'text' ? -longer : longer
}

function partsOf(version: string): string[] {
  const dash = version.indexOf(DASH, 1)
  return (dash < 0 ? version : version.slice(0, dash)).match(PART) ?? []
}

/** How many parts at the beginning are numbers and periods. */
function leadingNumbers(parts: readonly string[]): number {
  const end = parts.findIndex((part) => part !== '.' && kindOf(part) !== 'number')
  return end < 0 ? parts.length : end
}

const padding = (part: string): string => (part === '.' ? '.' : '0')

function compareParts(one: string, other: string): number {
  const [kind, otherKind] = [kindOf(one), kindOf(other)]
  if (kind !== otherKind) return RANKS[kind] - RANKS[otherKind]
  if (kind === 'separator') return 0
  if (kind === 'number') return Math.sign(Number(BigInt(one) - BigInt(other)))
  return one === other ? 0 : one < other ? -1 : 1
}

function kindOf(part: string): Kind {
  if (/^\d/.test(part)) return 'number'
  return /^[\s\p{P}]/u.test(part) ? 'separator' : 'text'
}
