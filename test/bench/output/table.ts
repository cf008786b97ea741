/** A value in a table; undefined shows as a dash and is null in JSON. */
export type Cell = string | number | undefined

/** A column: its name, also in JSON, and the decimals of its numbers. */
export interface Column {
  readonly name: string
  readonly decimals?: number
  /** Numbers are shares of one: shown as percent. */
  readonly percent?: boolean
}

/** What a scenario found. `details` are more figures per row, for JSON alone. */
export interface Table {
  readonly title: string
  readonly columns: readonly Column[]
  readonly rows: readonly Readonly<Record<string, Cell>>[]
  readonly notes: readonly string[]
  readonly details?: readonly unknown[]
}

/** The table as aligned text, numbers to the right. */
export function render(table: Table): string {
  const head = table.columns.map((column) => column.name)
  const body = table.rows.map((row) =>
    table.columns.map((column) => show(row[column.name], column)),
  )
  const widths = head.map((_, i) =>
    Math.max(...[head, ...body].map((cells) => cells[i]?.length ?? 0)),
  )
  const isNumeric = table.columns.map(({ name }) =>
    table.rows.some((r) => typeof r[name] === 'number'),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) =>
        isNumeric[i] ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0),
      )
      .join('  ')
      .trimEnd()
  const rule = widths.map((width) => '-'.repeat(width))
  const lines = [table.title, '', line(head), line(rule), ...body.map(line)]
  return `${[...lines, ...table.notes.map((note) => `  ${note}`)].join('\n')}\n\n`
}

function show(cell: Cell, { decimals = 0, percent = false }: Column): string {
  if (cell === undefined || (typeof cell === 'number' && Number.isNaN(cell))) return '-'
  if (typeof cell === 'string') return cell
  if (percent) return `${(cell * 100).toFixed(0)} %`
  return cell.toLocaleString('en-GB', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
}
