import pg from 'pg'
import { fromStored } from './text.ts'

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
