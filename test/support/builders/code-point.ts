import fc from 'fast-check'

/** The code points of surrogates, which no text has. */
const SURROGATES = { first: 0xd8_00, count: 0x8_00 }

/** As the unit `binary`, for which fast-check makes a map of every code point there is. */
export const codePoint: fc.Arbitrary<string> = fc
  .nat({ max: 0x10_ff_ff - SURROGATES.count })
  .map((n) => String.fromCodePoint(n < SURROGATES.first ? n : n + SURROGATES.count), indexOf)

/** The number that becomes the code point. Throws for anything else. */
function indexOf(value: unknown): number {
  const [only, ...more] = typeof value === 'string' ? value : ''
  const at = only?.codePointAt(0) ?? Number.NaN
  const isSurrogate = at >= SURROGATES.first && at < SURROGATES.first + SURROGATES.count
  if (only === undefined || more.length > 0 || isSurrogate) throw new Error('not a code point')
  return at < SURROGATES.first ? at : at - SURROGATES.count
}
