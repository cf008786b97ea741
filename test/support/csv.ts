/** Reads CSV as RFC 4180 has it, with a byte order mark ahead of it, row by row. */
export function readCsv(text: string): string[][] {
  if (!text.startsWith('\ufeff')) throw new Error('the file does not begin with its mark')
  const rows: string[][] = []
  let row: string[] = []
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy
  for (cell.lastIndex = 1; cell.lastIndex < text.length; ) {
    const at = cell.lastIndex
    const match = cell.exec(text)
    if (match === null) throw new Error(`not CSV: ${JSON.stringify(text.slice(at, at + 80))}`)
    const [, quoted, plain = '', end] = match
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}
