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
} from '../../people/store.ts'
import { selected } from '../columns/columns.ts'
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
} from '../columns/people-columns.ts'
import type { Connection } from '../sqlite/database.ts'

/** The questions about people on one connection, synchronous. */
export class PeopleReader {
  readonly dataVersion: () => number
  readonly revision: () => number
  /** All that is stored, from one snapshot. */
  readonly state: () => PeopleState

  constructor(database: Connection) {
    const dataVersion = database.prepare<[], number>('PRAGMA data_version').pluck()
    const revision = database.prepare<[], number>('SELECT revision FROM people_state').pluck()
    const rows = <Row>(table: string, columns: Readonly<Record<string, string>>, order: string) =>
      database.prepare<[], Row>(`SELECT ${selected(columns)} FROM ${table} ORDER BY ${order}`)
    const accounts = rows<AccountRecord>('accounts', ACCOUNT, 'name_key')
    const appRoles = rows<AppRoleRecord>('account_app_roles', APP_ROLE, 'account_id, app_key')
    const sessions = rows<SessionRecord>('sessions', SESSION, 'created_at, id')
    const links = rows<LinkRecord>('account_links', LINK, 'created_at, token_hash')
    const passkeys = rows<PasskeyRow>('passkeys', PASSKEY, 'created_at, id')
    const totps = rows<TotpRecord>('totp_secrets', TOTP, 'account_id')
    const codes = rows<RecoveryCodeRecord>('recovery_codes', RECOVERY_CODE, 'account_id, hash')
    const identities = rows<IdentityRecord>('account_identities', IDENTITY, 'issuer, subject')
    this.dataVersion = () => dataVersion.get() ?? 0
    this.revision = () => revision.get() ?? 0
    this.state = database.transaction(() => ({
      revision: this.revision(),
      accounts: accounts.all(),
      appRoles: appRoles.all(),
      sessions: sessions.all(),
      links: links.all(),
      passkeys: passkeys.all().map(toPasskey),
      totps: totps.all(),
      recoveryCodes: codes.all(),
      identities: identities.all(),
    }))
  }
}

function toPasskey(row: PasskeyRow): PasskeyRecord {
  return { ...row, transports: JSON.parse(row.transports) }
}
