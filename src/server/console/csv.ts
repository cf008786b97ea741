import { stringify } from 'csv-stringify/sync'

/** Spreadsheets read a file that begins with it as UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff'

/** Returns rows as CSV (RFC 4180). Cells that a spreadsheet would run as a formula begin with an apostrophe. */
export function csv(rows: readonly (readonly unknown[])[]): string {
  return stringify([...rows], { record_delimiter: 'windows', escape_formulas: true })
}
