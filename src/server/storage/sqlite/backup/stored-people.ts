import type { PersonDifference } from '../../../../shared/access/restored-access.ts'
import { higherRole, includesRole, lowerRole, type Role } from '../../../../shared/access/role.ts'
import type { Connection } from '../database.ts'

/** A row as it is stored: databases of other versions have other columns. */
type Row = Readonly<Record<string, string | number | null | undefined>>

type OwnedRow = Row & { readonly account_id: string }

/** How people sign in, and the columns that say whether two of a kind are the same. */
export const CREDENTIALS = {
  totp_secrets: { difference: 'second_factor', same: ['secret'] },
  recovery_codes: { difference: 'recovery_codes', same: ['hash'] },
  passkeys: { difference: 'passkeys', same: ['id', 'public_key'] },
  account_identities: { difference: 'identities', same: ['issuer', 'subject'] },
} as const satisfies Readonly<
  Record<string, { readonly difference: PersonDifference; readonly same: readonly string[] }>
>

type CredentialTable = keyof typeof CREDENTIALS
export const CREDENTIAL_TABLES = Object.keys(CREDENTIALS) as readonly CredentialTable[]

/** The roles of an account, those in apps by the ID of the app: its key can be another in another database. */
export interface RolesHeld {
  readonly server: Role | null
  readonly apps: ReadonlyMap<string, Role>
}

/** An account with what belongs to it, except sessions and links. */
export interface StoredPerson {
  readonly account: Row & {
    readonly id: string
    readonly name: string
    readonly name_key: string
    readonly server_role: Role | null
    readonly disabled_at: string | null
    readonly password_hash: string | null
    /** Undefined in a database from before there was mail. */
    readonly email?: string | null
    readonly last_seen_at: string | null
  }
  readonly roles: RolesHeld
  readonly credentials: Readonly<Record<CredentialTable, readonly Row[]>>
  /** What the person is notified about, as JSON; undefined if they have chosen nothing. */
  readonly choices: string | undefined
}

/** By the ID of the account; null for a database from before there were accounts. */
export type StoredPeople = ReadonlyMap<string, StoredPerson> | null

const SQL = {
  hasAccounts: "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'accounts'",
  accounts: 'SELECT * FROM accounts ORDER BY name_key',
  appRoles: `SELECT account_id, a.id AS app, role FROM account_app_roles
    JOIN apps a ON a.key = app_key`,
  insertAppRole: `INSERT INTO account_app_roles (account_id, app_key, role)
    SELECT ?, key, ? FROM apps WHERE id = ?`,
  columns: 'SELECT name FROM pragma_table_info(?)',
  hasChoices:
    "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'notification_choices'",
  choices: 'SELECT account_id, choices FROM notification_choices',
  insertChoices: 'INSERT INTO notification_choices (account_id, choices) VALUES (?, ?)',
} as const

/** Whether a database is not from before there were accounts. */
export function hasAccounts(database: Connection): boolean {
  return database.prepare<[], number>(SQL.hasAccounts).pluck().get() === 1
}

/** Reads the people of a database of any version. */
export function storedPeople(database: Connection): StoredPeople {
  if (!hasAccounts(database)) return null
  const accounts = database.prepare<[], StoredPerson['account']>(SQL.accounts).all()
  const appRoles = ofAccounts(
    database
      .prepare<[], OwnedRow & { readonly app: string; readonly role: Role }>(SQL.appRoles)
      .all(),
  )
  const credentials = CREDENTIAL_TABLES.map(
    (table) =>
      [table, ofAccounts(database.prepare<[], OwnedRow>(`SELECT * FROM ${table}`).all())] as const,
  )
  const choices = storedChoices(database)
  const people = accounts.map((account): StoredPerson => {
    const apps = appRoles.get(account.id)?.map(({ app, role }) => [app, role] as const)
    const own = credentials.map(([table, rows]) => [table, rows.get(account.id) ?? []])
    return {
      account,
      roles: { server: account.server_role, apps: new Map(apps) },
      credentials: Object.fromEntries(own),
      choices: choices?.get(account.id),
    }
  })
  return new Map(people.map((person) => [person.account.id, person]))
}

/** Makes `people` those of a database, as far as it has their columns and apps. Inside a transaction. */
export function writePeople(database: Connection, people: Iterable<StoredPerson>): void {
  // What belongs to an account goes with it.
  database.exec('DELETE FROM accounts')
  const insert = inserterInto(database)
  const insertAppRole = database.prepare<[string, string, string]>(SQL.insertAppRole)
  const insertChoices =
    storedChoices(database) && database.prepare<[string, string]>(SQL.insertChoices)
  for (const { account, roles, credentials, choices } of people) {
    insert('accounts', { ...account, server_role: roles.server })
    for (const [app, role] of roles.apps) insertAppRole.run(account.id, role, app)
    for (const table of CREDENTIAL_TABLES) {
      for (const row of credentials[table]) insert(table, row)
    }
    if (choices !== undefined) insertChoices?.run(account.id, choices)
  }
}

/** Returns the roles that both include. Where the first are included as a whole, they are returned as they are. */
export function lowerRoles(one: RolesHeld, other: RolesHeld): RolesHeld {
  const server = lowerRole(one.server, other.server)
  const apps = [...new Set([...one.apps.keys(), ...other.apps.keys()])].flatMap((app) => {
    const role = lowerRole(roleIn(one, app), roleIn(other, app))
    return role === null || includesRole(server, role) ? [] : [[app, role] as const]
  })
  const lower = { server, apps: new Map(apps) }
  return isSameRoles(one, lower) ? one : lower
}

/** Returns whether two hold the same roles on the server, and in effect in every app. */
export function isSameRoles(one: RolesHeld, other: RolesHeld): boolean {
  const apps = [...one.apps.keys(), ...other.apps.keys()]
  return one.server === other.server && apps.every((app) => roleIn(one, app) === roleIn(other, app))
}

function roleIn({ server, apps }: RolesHeld, app: string): Role | null {
  return higherRole(server, apps.get(app) ?? null)
}

/** Returns what people are notified about; null for a database from before they chose. */
function storedChoices(database: Connection): ReadonlyMap<string, string> | null {
  if (database.prepare<[], number>(SQL.hasChoices).pluck().get() !== 1) return null
  const rows = database.prepare<[], { account_id: string; choices: string }>(SQL.choices).all()
  return new Map(rows.map(({ account_id, choices }) => [account_id, choices]))
}

function ofAccounts<R extends OwnedRow>(rows: readonly R[]): ReadonlyMap<string, readonly R[]> {
  return Map.groupBy(rows, (row) => row.account_id)
}

function inserterInto(database: Connection) {
  const columns = new Map<string, readonly string[]>()
  return (table: CredentialTable | 'accounts', row: Row) => {
    const known =
      columns.get(table) ?? database.prepare<[string], string>(SQL.columns).pluck().all(table)
    columns.set(table, known)
    const names = known.filter((column) => row[column] !== undefined)
    const values = names.map((name) => `@${name}`)
    database
      .prepare<[Row]>(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${values.join(', ')})`)
      .run(row)
  }
}
