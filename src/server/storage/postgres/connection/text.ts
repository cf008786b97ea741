import pg from 'pg'

/** Begins two characters that stand for one: followed by 0 for U+0000, by 1 for itself. */
const MARK = '\u0001'

/**
 * Returns a parameter as the database can hold it. Text in PostgreSQL cannot contain U+0000, but JSON bodies can, and
 * what people write is kept as it is. Texts in arrays are included.
 */
export function toStored(value: unknown): unknown {
  if (typeof value === 'string') return isSpecial(value) ? marked(value) : value
  return Array.isArray(value) ? arrayOf(value) : value
}

/** The text of an array of numbers or of texts: the driver takes many times as long, and telemetry has 40 of them in a call. */
function arrayOf(values: readonly unknown[]): unknown {
  if (values.every((value) => typeof value === 'number')) return `{${values.join(',')}}`
  if (!values.every((value) => typeof value === 'string')) return values.map(toStored)
  const elements = values.map((value) => (isSpecial(value) ? marked(value) : value))
  return `{${elements.map(quoted).join(',')}}`
}

function quoted(text: string): string {
  const isPlain = !(text.includes('"') || text.includes('\\'))
  return isPlain ? `"${text}"` : `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}

/** Returns what a text of the database stands for. */
export function fromStored(text: string): string {
  if (!text.includes(MARK)) return text
  return text.replaceAll(`${MARK}0`, '\0').replaceAll(`${MARK}1`, MARK)
}

/** Returns JSON that the database has made of its texts as JSON of what they stand for. */
export function jsonFromStored(json: string): string {
  if (!json.includes('\\u0001')) return json
  const read = (_: string, value: unknown) =>
    typeof value === 'string' ? fromStored(value) : value
  return JSON.stringify(JSON.parse(json, read))
}

function isSpecial(value: unknown): boolean {
  return typeof value === 'string' && (value.includes('\0') || value.includes(MARK))
}

function marked(text: string): string {
  return text.replaceAll(MARK, `${MARK}1`).replaceAll('\0', `${MARK}0`)
}

const NUMBERS: ReadonlySet<number> = new Set([pg.types.builtins.INT8, pg.types.builtins.NUMERIC])
const JSONS: ReadonlySet<number> = new Set([pg.types.builtins.JSON, pg.types.builtins.JSONB])
const TEXTS: ReadonlySet<number> = new Set([pg.types.builtins.TEXT, pg.types.builtins.VARCHAR])

/**
 * Returns what reads a column of the type `oid`: `bigint` and `numeric` as numbers, which are exact below 2^53, a bound that no
 * stored number reaches; JSON as text; and texts as they were before `toStored`.
 */
export const getTypeParser: typeof pg.types.getTypeParser = (
  oid: number,
  format?: 'text' | 'binary',
) => {
  if (NUMBERS.has(oid)) return Number
  if (JSONS.has(oid)) return String
  if (TEXTS.has(oid)) return fromStored
  return pg.types.getTypeParser(oid, format)
}
