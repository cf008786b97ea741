import type {
  AccountRecord,
  AppRoleRecord,
  IdentityRecord,
  LinkRecord,
  PasskeyRecord,
  PeopleState,
  RecoveryCodeRecord,
  SessionRecord,
  TotpRecord,
} from '../../../people/store.ts'
import { selected } from '../../columns/columns.ts'
import {
  ACCOUNT,
  APP_ROLE,
  IDENTITY,
  LINK,
  PASSKEY,
  type PasskeyRow,
  RECOVERY_CODE,
  SESSION,
  TOTP,
} from '../../columns/people-columns.ts'
import type { Queries } from '../connection/database.ts'

const SQL = {
  revision: 'SELECT revision FROM people_state',
  accounts: all('accounts', ACCOUNT, 'name_key'),
  appRoles: all('account_app_roles', APP_ROLE, 'account_id, app_key'),
  sessions: all('sessions', SESSION, 'created_at, id'),
  links: all('account_links', LINK, 'created_at, token_hash'),
  passkeys: all('passkeys', PASSKEY, 'created_at, id'),
  totps: all('totp_secrets', TOTP, 'account_id'),
  codes: all('recovery_codes', RECOVERY_CODE, 'account_id, hash'),
  identities: all('account_identities', IDENTITY, 'issuer, subject'),
} as const

export async function peopleRevision(queries: Queries): Promise<number> {
  return (await queries.row<{ revision: number }>(SQL.revision))?.revision ?? 0
}

/** All that is stored, of one snapshot if `queries` has one. */
export async function peopleState(queries: Queries): Promise<PeopleState> {
  return {
    revision: await peopleRevision(queries),
    accounts: await queries.rows<AccountRecord>(SQL.accounts),
    appRoles: await queries.rows<AppRoleRecord>(SQL.appRoles),
    sessions: await queries.rows<SessionRecord>(SQL.sessions),
    links: await queries.rows<LinkRecord>(SQL.links),
    passkeys: (await queries.rows<PasskeyRow>(SQL.passkeys)).map(toPasskey),
    totps: await queries.rows<TotpRecord>(SQL.totps),
    recoveryCodes: await queries.rows<RecoveryCodeRecord>(SQL.codes),
    identities: await queries.rows<IdentityRecord>(SQL.identities),
  }
}

function all(table: string, columns: Readonly<Record<string, string>>, order: string): string {
  return `SELECT ${selected(columns)} FROM ${table} ORDER BY ${order}`
}

function toPasskey(row: PasskeyRow): PasskeyRecord {
  return { ...row, transports: JSON.parse(row.transports) }
}
