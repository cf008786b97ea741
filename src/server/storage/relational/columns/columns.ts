/**
 * What a column holds of a member: `plain` the same, `flag` 0 or 1, `json` a text of JSON, null for null, and `list` the JSON
 * of a list that is absent from a record when it is empty.
 */
type FormOf<Value> = undefined extends Value
  ? 'list'
  : [Value] extends [boolean]
    ? 'flag'
    : [Value] extends [string | number | null]
      ? 'plain'
      : 'json'

type Form = 'list' | 'flag' | 'json' | 'plain'

interface Held<Value> {
  readonly list: string
  readonly flag: 0 | 1
  readonly plain: Value
  readonly json: string | Extract<Value, null>
}

/** The form of every member of a record. */
export type Forms<Stored> = {
  readonly [Member in keyof Stored & string]-?: FormOf<Stored[Member]>
}

/** A record as its columns hold it. */
export type RowOf<Stored> = {
  readonly [Member in keyof Stored]-?: Held<Stored[Member]>[FormOf<Stored[Member]>]
}

/** The columns of a table that hold the members of a record: each has the name of its member, with underscores. */
export class Columns<Stored extends object> {
  readonly forms: Forms<Stored>
  /** The columns by member. */
  readonly columns: Readonly<Record<string, string>>
  readonly #encoded: readonly (readonly [member: string, form: Form])[]

  constructor(forms: Forms<Stored>) {
    const members = Object.keys(forms)
    this.forms = forms
    this.columns = Object.fromEntries(members.map((member) => [member, columnOf(member)]))
    this.#encoded = Object.entries<Form>(forms).filter(([, form]) => form !== 'plain')
  }

  /** Returns what follows SELECT or RETURNING for rows by member; `table` is the prefix of every column. */
  selected(table?: string): string {
    const prefix = table === undefined ? '' : `${table}.`
    return Object.entries(this.columns)
      .map(([member, column]) => `${prefix}${column} AS "${member}"`)
      .join(', ')
  }

  /** Returns the statement that inserts a row with parameters named like its members. */
  insertInto(table: string): string {
    return insertInto(table, this.columns)
  }

  /** The same, or replaces the row with the same `key`: columns, separated by commas. */
  replaceIn(table: string, key: string): string {
    const updates = Object.values(this.columns).map((column) => `${column} = excluded.${column}`)
    return `${this.insertInto(table)}
    ON CONFLICT (${key}) DO UPDATE SET ${updates.join(', ')}`
  }

  /** Returns what follows SET to update the columns by parameters named like the members, but for some. */
  assigned(...except: readonly (keyof Stored)[]): string {
    return Object.entries(this.columns)
      .filter(([member]) => !except.some((other) => other === member))
      .map(([member, column]) => `${column} = @${member}`)
      .join(', ')
  }

  /** Returns the record that a row holds, with what else is in the row. */
  read<Row extends RowOf<Stored>>(row: Row): Omit<Row, keyof Stored> & Stored {
    const record: Record<string, unknown> = { ...row }
    for (const [member, form] of this.#encoded) {
      const value = decoded(form, record[member])
      if (value === undefined) delete record[member]
      else record[member] = value
    }
    return record as Omit<Row, keyof Stored> & Stored
  }

  /** Returns a record as its columns hold it: the parameters of `insertInto`, `replaceIn` and `assigned`. */
  write(stored: Stored): RowOf<Stored> {
    const row: { [member: string]: unknown } = { ...(stored as object) }
    for (const [member, form] of this.#encoded) row[member] = encoded(form, row[member])
    return row as RowOf<Stored>
  }
}

function columnOf(member: string): string {
  return member.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Returns the statement that inserts a row with parameters named like its members. */
export function insertInto(table: string, columns: Readonly<Record<string, string>>): string {
  const parameters = Object.keys(columns).map((member) => `@${member}`)
  return `INSERT INTO ${table} (${Object.values(columns).join(', ')})
    VALUES (${parameters.join(', ')})`
}

function decoded(form: Form, held: unknown): unknown {
  if (form === 'flag') return held === 1
  if (form === 'list' && held === '[]') return undefined
  return held === null ? null : JSON.parse(String(held))
}

function encoded(form: Form, value: unknown): unknown {
  if (form === 'flag') return value === true ? 1 : 0
  if (form === 'list') return JSON.stringify(value ?? [])
  return value === null ? null : JSON.stringify(value)
}
