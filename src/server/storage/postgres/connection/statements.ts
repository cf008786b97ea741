/** Most statements whose names are remembered. */
const MOST_KNOWN = 500

/** Values for `$1` and so on, or by name for a statement of `named`. */
export type Parameters = readonly unknown[] | Readonly<Record<string, unknown>>

/** A statement whose parameters have names. */
export interface NamedStatement {
  readonly text: string
  /** The names of `$1` and so on. */
  readonly names: readonly string[]
}

/**
 * Prepares a statement with parameters like `@name`, and `@name.member` for that member of every item of a list. A name can
 * occur more than once.
 */
export function named(sql: string): NamedStatement {
  const names: string[] = []
  const text = sql.replaceAll(/@(\w+(?:\.\w+)?)/g, (_, name: string) => {
    if (!names.includes(name)) names.push(name)
    return `$${names.indexOf(name) + 1}`
  })
  return { text, names }
}

/** Returns text and values as the driver takes them. Throws if a parameter of a named statement is missing. */
export function parametersOf(
  statement: string | NamedStatement,
  parameters: Parameters,
): [text: string, values: unknown[]] {
  if (isList(parameters)) {
    return [typeof statement === 'string' ? statement : statement.text, [...parameters]]
  }
  const { text, names } = typeof statement === 'string' ? known(statement) : statement
  const values = names.map((name) => {
    const [list = '', member] = name.split('.')
    const value = parameters[list]
    if (value === undefined) throw new Error(`parameter ${name} is missing`)
    return member === undefined || !Array.isArray(value) ? value : value.map((item) => item[member])
  })
  return [text, values]
}

const KNOWN = new Map<string, NamedStatement>()

function known(sql: string): NamedStatement {
  const statement = KNOWN.get(sql) ?? named(sql)
  // With other words for each filter, there is no end of them.
  if (KNOWN.size >= MOST_KNOWN) KNOWN.clear()
  KNOWN.set(sql, statement)
  return statement
}

function isList(parameters: Parameters): parameters is readonly unknown[] {
  return Array.isArray(parameters)
}
