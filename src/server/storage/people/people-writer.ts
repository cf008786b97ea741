import { DuplicateError } from '../../catalog/store.ts'
import type {
  AppRoleRecord,
  IdentityRecord,
  LinkRecord,
  NewAccount,
  NewPasskey,
  RecoveryCodeRecord,
  SessionRecord,
  SessionUse,
  StoredAccess,
  TotpRecord,
} from '../../people/store.ts'
import { createAuditWriter } from '../catalog/audit-log.ts'
import { insertInto } from '../columns/columns.ts'
import {
  APP_ROLE,
  IDENTITY,
  LINK,
  NEW_ACCOUNT,
  NEW_PASSKEY,
  type PasskeyParameters,
  RECOVERY_CODE,
  SESSION,
  TOTP,
} from '../columns/people-columns.ts'
import { StorageError } from '../interface/storage-error.ts'
import type { Connection } from '../sqlite/database.ts'
import { isUniqueBreach } from '../sqlite/errors.ts'

const SQL = {
  raiseRevision: 'UPDATE people_state SET revision = revision + 1',
  insertAccount: insertInto('accounts', NEW_ACCOUNT),
  setEmail: 'UPDATE accounts SET email = @email WHERE id = @accountId',
  setPassword: 'UPDATE accounts SET password_hash = @hash WHERE id = @accountId',
  setVoucher: 'UPDATE accounts SET vouched_by = @person WHERE id = @accountId',
  setServerRole: 'UPDATE accounts SET server_role = @serverRole WHERE id = @accountId',
  deleteAppRoles: 'DELETE FROM account_app_roles WHERE account_id = ?',
  insertAppRole: insertInto('account_app_roles', APP_ROLE),
  setDisabled: 'UPDATE accounts SET disabled_at = @at WHERE id = @accountId',
  deleteAccount: 'DELETE FROM accounts WHERE id = ?',
  insertSession: insertInto('sessions', SESSION),
  deleteSession: 'DELETE FROM sessions WHERE id = ?',
  setSessionUsed:
    'UPDATE sessions SET last_used_at = @at WHERE id = @sessionId AND last_used_at < @at',
  setSeen: `UPDATE accounts SET last_seen_at = @at
    WHERE id = (SELECT account_id FROM sessions WHERE id = @sessionId)
      AND (last_seen_at IS NULL OR last_seen_at < @at)`,
  insertLink: insertInto('account_links', LINK),
  deleteLink: 'DELETE FROM account_links WHERE token_hash = ?',
  insertTotp: insertInto('totp_secrets', TOTP),
  deleteTotp: 'DELETE FROM totp_secrets WHERE account_id = ?',
  insertCode: insertInto('recovery_codes', RECOVERY_CODE),
  deleteCodes: 'DELETE FROM recovery_codes WHERE account_id = ?',
  deleteCode: 'DELETE FROM recovery_codes WHERE account_id = ? AND hash = ?',
  insertPasskey: insertInto('passkeys', NEW_PASSKEY),
  setPasskeyUse: 'UPDATE passkeys SET counter = @counter, last_used_at = @at WHERE id = @id',
  deletePasskey: 'DELETE FROM passkeys WHERE id = ?',
  insertIdentity: insertInto('account_identities', IDENTITY),
  deleteIdentity: 'DELETE FROM account_identities WHERE issuer = ? AND subject = ?',
} as const

/** The writes of people, synchronous, inside a transaction that the caller has begun. */
export class PeopleWriter {
  readonly #database: Connection
  readonly raiseRevision: () => void
  readonly appendAudit: ReturnType<typeof createAuditWriter>

  constructor(database: Connection) {
    this.#database = database
    const raise = database.prepare(SQL.raiseRevision)
    this.raiseRevision = () => void raise.run()
    this.appendAudit = createAuditWriter(database)
  }

  insertAccount(account: NewAccount): void {
    this.#insert(SQL.insertAccount, account, `account "${account.name}"`)
  }

  setEmail(accountId: string, email: string | null): void {
    this.#change(SQL.setEmail, { accountId, email }, `account ${accountId}`)
  }

  setPassword(accountId: string, hash: string): void {
    this.#change(SQL.setPassword, { accountId, hash }, `account ${accountId}`)
  }

  setVoucher(accountId: string, person: string | null): void {
    this.#change(SQL.setVoucher, { accountId, person }, `account ${accountId}`)
  }

  setAccess(accountId: string, { serverRole, appRoles }: StoredAccess): void {
    this.#change(SQL.setServerRole, { accountId, serverRole }, `account ${accountId}`)
    this.#run(SQL.deleteAppRoles, accountId)
    for (const { appKey, role } of appRoles) {
      const row: AppRoleRecord = { accountId, appKey, role }
      this.#insert(SQL.insertAppRole, row, `role in app ${appKey}`)
    }
  }

  setDisabled(accountId: string, at: string | null): void {
    this.#change(SQL.setDisabled, { accountId, at }, `account ${accountId}`)
  }

  deleteAccount(accountId: string): void {
    this.#change(SQL.deleteAccount, accountId, `account ${accountId}`)
  }

  insertSession(session: SessionRecord): void {
    this.#insert(SQL.insertSession, session, `session ${session.id}`)
    this.#run(SQL.setSeen, { sessionId: session.id, at: session.createdAt })
  }

  deleteSessions(ids: readonly string[]): void {
    for (const id of ids) this.#run(SQL.deleteSession, id)
  }

  /** Sessions that have ended are skipped. */
  setSessionUsed(use: SessionUse): void {
    this.#run(SQL.setSessionUsed, use)
    this.#run(SQL.setSeen, use)
  }

  insertLink(link: LinkRecord): void {
    this.#insert(SQL.insertLink, link, 'link')
  }

  deleteLinks(tokenHashes: readonly string[]): void {
    for (const hash of tokenHashes) this.#run(SQL.deleteLink, hash)
  }

  setTotp(accountId: string, totp: Omit<TotpRecord, 'accountId'> | null): void {
    this.#run(SQL.deleteTotp, accountId)
    if (totp !== null) this.#insert(SQL.insertTotp, { ...totp, accountId }, 'TOTP secret')
  }

  setRecoveryCodes(accountId: string, hashes: readonly string[]): void {
    this.#run(SQL.deleteCodes, accountId)
    for (const hash of hashes) {
      const row: RecoveryCodeRecord = { accountId, hash }
      this.#insert(SQL.insertCode, row, 'recovery code')
    }
  }

  deleteRecoveryCode(accountId: string, hash: string): void {
    this.#run(SQL.deleteCode, accountId, hash)
  }

  insertPasskey(passkey: NewPasskey): void {
    const row: PasskeyParameters = { ...passkey, transports: JSON.stringify(passkey.transports) }
    this.#insert(SQL.insertPasskey, row, `passkey ${passkey.id}`)
  }

  setPasskeyUse(id: string, counter: number, at: string): void {
    this.#change(SQL.setPasskeyUse, { id, counter, at }, `passkey ${id}`)
  }

  deletePasskey(id: string): void {
    this.#run(SQL.deletePasskey, id)
  }

  insertIdentity(identity: IdentityRecord): void {
    this.#insert(SQL.insertIdentity, identity, 'identity')
  }

  deleteIdentity(issuer: string, subject: string): void {
    this.#run(SQL.deleteIdentity, issuer, subject)
  }

  #insert(sql: string, row: object, what: string): void {
    try {
      this.#run(sql, row)
    } catch (error) {
      throw isUniqueBreach(error) ? new DuplicateError(`${what} already exists`) : error
    }
  }

  #change(sql: string, parameters: object | string, what: string): void {
    if (this.#run(sql, parameters).changes === 1) return
    const detail = `there is no ${what} to change`
    throw new StorageError({ code: 'rejected', file: this.#database.name, detail })
  }

  // Written now and then: not worth keeping each statement prepared.
  #run(sql: string, ...parameters: readonly unknown[]) {
    return this.#database.prepare<unknown[]>(sql).run(...parameters)
  }
}
