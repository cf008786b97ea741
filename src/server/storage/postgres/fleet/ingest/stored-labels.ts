import type { LabelMap } from '../../../../../shared/names.ts'

// PostgreSQL stores no U+0000. U+FFFF is no character, so labels have none; one that has is restored as well.
const ESCAPE = '\uFFFF'

/** Returns labels as the database stores them: as JSON without U+0000. */
export function labelsToText(labels: LabelMap): string {
  const entries = Object.entries(labels).map(([key, value]) => {
    return [key, value.replaceAll(ESCAPE, `${ESCAPE}1`).replaceAll('\0', `${ESCAPE}0`)]
  })
  return JSON.stringify(Object.fromEntries(entries))
}

/** The reverse of `labelsToText`. */
export function labelsFromText(text: string): LabelMap {
  const labels: LabelMap = JSON.parse(text)
  if (!text.includes(ESCAPE)) return labels
  const entries = Object.entries(labels).map(([key, value]) => {
    return [key, value.replaceAll(`${ESCAPE}0`, '\0').replaceAll(`${ESCAPE}1`, ESCAPE)]
  })
  return Object.fromEntries(entries)
}
