/** Writes a line to stdout. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Writes a line to stderr: what is said about the work, not what comes of it. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** Writes one JSON document to stdout. */
export function printJson(document: unknown): void {
  print(JSON.stringify(document, null, 2))
}

/** Writes rows under their headings to stdout, columns aligned; `empty` where there is no row. */
export function printTable(
  headings: readonly string[],
  rows: readonly (readonly Cell[])[],
  empty: string,
): void {
  if (rows.length === 0) {
    print(empty)
    return
  }
  const lines = [headings, ...rows.map((row) => row.map(textOf))]
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )
  const isNumber = headings.map((_, column) => rows.every((row) => typeof row[column] === 'number'))
  for (const line of lines) {
    const cells = line.map((cell, column) => {
      const width = widths[column] ?? 0
      return isNumber[column] === true ? cell.padStart(width) : cell.padEnd(width)
    })
    print(cells.join('  ').trimEnd())
  }
}

export type Cell = string | number | null

function textOf(cell: Cell): string {
  return cell === null ? '-' : String(cell)
}
