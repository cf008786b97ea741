/** What has a revision of its own. Whoever locks several does so in this order. */
export type Part = 'catalog' | 'people' | 'outbox'

/** Values by name, for parameters like `@name`: what SQL has, and lists for `oneOf` and `rowsOf`. */
export type Parameters = object

/** Where SQLite and PostgreSQL say the same in other words. The members make parts of statements. */
export interface Dialect {
  /** Whether lists keep all texts: in JSON of SQLite, a text ends at U+0000. */
  readonly keepsTexts: boolean
  /** `FROM` of the audit log by its ids, whatever else is asked for. */
  readonly auditById: string
  /** Whether a value is one of the list in the parameter `list`. */
  oneOf(value: string, list: string, type: 'int' | 'text'): string
  /** The rows of the list of objects in the parameter `list`, in `FROM` under its name. `members`: of each object. */
  rowsOf(list: string, members: Readonly<Record<string, 'int' | 'bigint' | 'text'>>): string
  /** Whether a text is like a pattern, in which `\` escapes. Ignores the case of the letters of ASCII only. */
  like(text: string, pattern: string): string
  /** What is ahead of the first full stop of a text. */
  head(text: string): string
  /** A text to be compared by its bytes. */
  bytewise(text: string): string
  /** The rows of a query as a JSON array of objects. `members`: SQL by member. */
  jsonOf(members: Readonly<Record<string, string>>, order: string): string
  /** Reads what `jsonOf` has made. */
  parse(json: string): string
  /** Whether a write failed because it would create a duplicate. */
  isUniqueBreach(error: unknown): boolean
}

/** Questions to a database. Each rejects with `StorageError`. */
export interface Questions {
  readonly dialect: Dialect
  /** The place of the database, for errors. */
  readonly location: string
  rows<Row>(sql: string, parameters?: Parameters): Promise<Row[]>
  /** The first row. */
  row<Row>(sql: string, parameters?: Parameters): Promise<Row | undefined>
  /** Asks a question of several statements, which all see the same. */
  atOnce<T>(question: (questions: Questions) => Promise<T>): Promise<T>
}

/** The statements of one transaction. */
export interface Statements extends Questions {
  /** Returns how many rows were written. */
  run(sql: string, parameters?: Parameters): Promise<number>
  /** Runs a write that returns a row, if it has written one. */
  written<Row>(sql: string, parameters?: Parameters): Promise<Row | undefined>
  /** Runs `work` so that what it wrote is undone when it rejects, and the transaction goes on. */
  attempt<T>(work: () => Promise<T>): Promise<T>
  /** Raises the revision of a part. Returns the new one. */
  raise(part: Part): Promise<number>
}

/** Returns the statements for a dialect, made once. */
export function perDialect<Sql>(
  make: (dialect: Dialect) => Sql,
): (questions: Pick<Questions, 'dialect'>) => Sql {
  const made = new Map<Dialect, Sql>()
  return ({ dialect }) => {
    const known = made.get(dialect)
    if (known !== undefined) return known
    const sql = make(dialect)
    made.set(dialect, sql)
    return sql
  }
}
