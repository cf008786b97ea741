/**
 * Characters that nobody sees, or that change where others are seen: controls, formats with those of bidirectional text,
 * unassigned and private ones (Unicode Standard, table 4-4: C), line separators, Default_Ignorable_Code_Point, and the
 * blank pattern of braille.
 */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** Of these, what prose needs: lines, tabs, soft hyphens, joiners, direction marks and the variants of emoji. */
const PROSE = /[\t\n\r\u00AD\u061C\u200C-\u200F]|\p{Variation_Selector}/u

/** A text of characters that are seen: what another person reads may be no text at all otherwise. */
export const VISIBLE = /^[^\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]*$/u

/** What to say of a text that is not `VISIBLE`. */
export const VISIBLE_RULE = 'must not contain control or invisible characters'

/** Returns a name or value as it is shown to others: `lap⟨U+200B⟩top`. */
export function showInvisible(text: string, mark = marked): string {
  return text.replaceAll(INVISIBLE, mark)
}

/** Returns prose as it is shown to others, in which only what hides or reorders text is marked. */
export function showProse(text: string): string {
  return showInvisible(text, (character) => (PROSE.test(character) ? character : marked(character)))
}

function marked(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase()
  return `⟨U+${code.padStart(4, '0')}⟩`
}
