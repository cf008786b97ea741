/** The columns of a table, by the members of a row as the statements read and take it. */
export type Columns<Row> = { readonly [Member in keyof Row & string]: string }

/** Returns what follows SELECT or RETURNING for rows by member; `table` is the prefix of every column. */
export function selected(columns: Readonly<Record<string, string>>, table?: string): string {
  const prefix = table === undefined ? '' : `${table}.`
  return Object.entries(columns)
    .map(([member, column]) => `${prefix}${column} AS "${member}"`)
    .join(', ')
}

/** Returns the statement that inserts a row with parameters named like its members. */
export function insertInto(table: string, columns: Readonly<Record<string, string>>): string {
  const parameters = Object.keys(columns).map((member) => `@${member}`)
  return `INSERT INTO ${table} (${Object.values(columns).join(', ')})
    VALUES (${parameters.join(', ')})`
}

/** The same, or replaces the row with the same `key`: columns, separated by commas. */
export function replaceIn(
  table: string,
  columns: Readonly<Record<string, string>>,
  key: string,
): string {
  const updates = Object.values(columns).map((column) => `${column} = excluded.${column}`)
  return `${insertInto(table, columns)}
    ON CONFLICT (${key}) DO UPDATE SET ${updates.join(', ')}`
}

/** Returns what follows SET to update all of these columns by parameters named like the members. */
export function assigned(columns: Readonly<Record<string, string>>): string {
  return Object.entries(columns)
    .map(([member, column]) => `${column} = @${member}`)
    .join(', ')
}
