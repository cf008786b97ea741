import { insertInto } from '../../columns/columns.ts'

/** Values for `$1` and so on, or by name for a statement of `named`. */
export type Parameters = readonly unknown[] | Readonly<Record<string, unknown>>

/** A statement whose parameters have names. */
export interface NamedStatement {
  readonly text: string
  /** The names of `$1` and so on. */
  readonly names: readonly string[]
}

/** Prepares a statement with parameters like `@name`. A name can occur more than once. */
export function named(sql: string): NamedStatement {
  const names: string[] = []
  const text = sql.replaceAll(/@(\w+)/g, (_, name: string) => {
    if (!names.includes(name)) names.push(name)
    return `$${names.indexOf(name) + 1}`
  })
  return { text, names }
}

/** Returns the statement that inserts a row, or replaces the one with the same `key`: columns, separated by commas. */
export function replaceIn(
  table: string,
  columns: Readonly<Record<string, string>>,
  key: string,
): NamedStatement {
  const updates = Object.values(columns).map((column) => `${column} = EXCLUDED.${column}`)
  return named(`${insertInto(table, columns)}
    ON CONFLICT (${key}) DO UPDATE SET ${updates.join(', ')}`)
}

/** Returns text and values as the driver takes them. Throws if a parameter of a named statement is missing. */
export function parametersOf(
  statement: string | NamedStatement,
  parameters: Parameters,
): [text: string, values: unknown[]] {
  if (isList(parameters)) {
    return [typeof statement === 'string' ? statement : statement.text, [...parameters]]
  }
  const { text, names } = typeof statement === 'string' ? named(statement) : statement
  const values = names.map((name) => {
    const value = parameters[name]
    if (value === undefined) throw new Error(`parameter ${name} is missing`)
    return value
  })
  return [text, values]
}

function isList(parameters: Parameters): parameters is readonly unknown[] {
  return Array.isArray(parameters)
}
