import type { OutboxWrites } from '../../outbound/outbox/store.ts'
import type {
  AccountRecord,
  AppRoleRecord,
  IdentityRecord,
  LinkRecord,
  PasskeyRecord,
  PeopleState,
  PeopleWrites,
  RecoveryCodeRecord,
  SessionRecord,
  SessionUse,
  TotpRecord,
} from '../../people/store.ts'
import { appendAudit } from './audit-log.ts'
import type { Columns, RowOf } from './columns/columns.ts'
import {
  ACCOUNT,
  APP_ROLE,
  IDENTITY,
  LINK,
  NEW_ACCOUNT,
  NEW_PASSKEY,
  PASSKEY,
  RECOVERY_CODE,
  SESSION,
  TOTP,
} from './columns/people-columns.ts'
import { perDialect, type Questions, type Statements } from './statements.ts'
import { change, insert } from './writes.ts'

const all = (table: string, columns: Pick<Columns<object>, 'selected'>, order: string) =>
  `SELECT ${columns.selected()} FROM ${table} ORDER BY ${order}`

const SELECT = {
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

const SQL = {
  insertAccount: NEW_ACCOUNT.insertInto('accounts'),
  setEmail: 'UPDATE accounts SET email = @email WHERE id = @id',
  setPassword: 'UPDATE accounts SET password_hash = @hash WHERE id = @id',
  setVoucher: 'UPDATE accounts SET vouched_by = @person WHERE id = @id',
  setServerRole: 'UPDATE accounts SET server_role = @serverRole WHERE id = @accountId',
  deleteAppRoles: 'DELETE FROM account_app_roles WHERE account_id = @accountId',
  insertAppRole: APP_ROLE.insertInto('account_app_roles'),
  setDisabled: 'UPDATE accounts SET disabled_at = @at WHERE id = @id',
  deleteAccount: 'DELETE FROM accounts WHERE id = @id',
  insertSession: SESSION.insertInto('sessions'),
  deleteBrowsers: `DELETE FROM push_subscriptions
    WHERE account_id = @accountId AND coalesce(session_id, '') <> @except`,
  insertLink: LINK.insertInto('account_links'),
  insertTotp: TOTP.insertInto('totp_secrets'),
  deleteTotp: 'DELETE FROM totp_secrets WHERE account_id = @accountId',
  insertCode: RECOVERY_CODE.insertInto('recovery_codes'),
  deleteCodes: 'DELETE FROM recovery_codes WHERE account_id = @accountId',
  deleteCode: 'DELETE FROM recovery_codes WHERE account_id = @accountId AND hash = @hash',
  insertPasskey: NEW_PASSKEY.insertInto('passkeys'),
  setPasskeyUse: 'UPDATE passkeys SET counter = @counter, last_used_at = @at WHERE id = @id',
  deletePasskey: 'DELETE FROM passkeys WHERE id = @id',
  insertIdentity: IDENTITY.insertInto('account_identities'),
  deleteIdentity: 'DELETE FROM account_identities WHERE issuer = @issuer AND subject = @subject',
} as const

const OF_LISTS = perDialect(({ oneOf, rowsOf, bytewise }) => {
  const uses = rowsOf('uses', { sessionId: 'text', at: 'text' })
  return {
    deleteBrowsers: `DELETE FROM push_subscriptions WHERE ${oneOf('session_id', 'ids', 'text')}`,
    deleteSessions: `DELETE FROM sessions WHERE ${oneOf('id', 'ids', 'text')}`,
    deleteLinks: `DELETE FROM account_links WHERE ${oneOf('token_hash', 'hashes', 'text')}`,
    setUsed: `UPDATE sessions SET last_used_at = used.at
      FROM (SELECT "sessionId" AS session, max(${bytewise('at')}) AS at FROM ${uses} GROUP BY 1) AS used
      WHERE id = used.session AND last_used_at < used.at`,
    setSeen: `UPDATE accounts SET last_seen_at = used.at
      FROM (
        SELECT account_id, max(${bytewise('at')}) AS at
        FROM ${uses} JOIN sessions s ON s.id = "sessionId" GROUP BY account_id
      ) AS used
      WHERE id = used.account_id AND (last_seen_at IS NULL OR last_seen_at < used.at)`,
  }
})

/** All that is stored, of one snapshot if `questions` has one. */
export async function peopleState(questions: Questions): Promise<PeopleState> {
  const revision = await questions.row<Pick<PeopleState, 'revision'>>(SELECT.revision)
  const passkeys = await questions.rows<RowOf<PasskeyRecord>>(SELECT.passkeys)
  return {
    revision: revision?.revision ?? 0,
    accounts: await questions.rows<AccountRecord>(SELECT.accounts),
    appRoles: await questions.rows<AppRoleRecord>(SELECT.appRoles),
    sessions: await questions.rows<SessionRecord>(SELECT.sessions),
    links: await questions.rows<LinkRecord>(SELECT.links),
    passkeys: passkeys.map((row) => PASSKEY.read(row)),
    totps: await questions.rows<TotpRecord>(SELECT.totps),
    recoveryCodes: await questions.rows<RecoveryCodeRecord>(SELECT.codes),
    identities: await questions.rows<IdentityRecord>(SELECT.identities),
  }
}

/** The people of a transaction. `outbox`: of the same transaction. */
export function peopleWrites(
  tx: Statements,
  outbox: Pick<OutboxWrites, 'insertDelivery'>,
): PeopleWrites {
  return {
    state: () => peopleState(tx),
    insertAccount: (account) => insert(tx, SQL.insertAccount, account, `account "${account.name}"`),
    setEmail: (id, email) => change(tx, SQL.setEmail, { id, email }, `account ${id}`),
    setPassword: (id, hash) => change(tx, SQL.setPassword, { id, hash }, `account ${id}`),
    setVoucher: (id, person) => change(tx, SQL.setVoucher, { id, person }, `account ${id}`),
    async setAccess(accountId, { serverRole, appRoles }) {
      await change(tx, SQL.setServerRole, { accountId, serverRole }, `account ${accountId}`)
      await tx.run(SQL.deleteAppRoles, { accountId })
      for (const { appKey, role } of appRoles) {
        const row: AppRoleRecord = { accountId, appKey, role }
        await insert(tx, SQL.insertAppRole, row, `role in app ${appKey}`)
      }
    },
    setDisabled: (id, at) => change(tx, SQL.setDisabled, { id, at }, `account ${id}`),
    deleteAccount: (id) => change(tx, SQL.deleteAccount, { id }, `account ${id}`),
    async insertSession(session) {
      await insert(tx, SQL.insertSession, session, `session ${session.id}`)
      await setSeen(tx, [{ sessionId: session.id, at: session.createdAt }])
    },
    async deleteSessions(ids) {
      await tx.run(OF_LISTS(tx).deleteBrowsers, { ids })
      await tx.run(OF_LISTS(tx).deleteSessions, { ids })
    },
    async deleteExpiredSessions(ids) {
      await tx.run(OF_LISTS(tx).deleteSessions, { ids })
    },
    async deleteBrowsers(accountId, except) {
      await tx.run(SQL.deleteBrowsers, { accountId, except: except ?? '-' })
    },
    insertLink: (link) => insert(tx, SQL.insertLink, link, 'link'),
    async deleteLinks(hashes) {
      await tx.run(OF_LISTS(tx).deleteLinks, { hashes })
    },
    async setTotp(accountId, totp) {
      await tx.run(SQL.deleteTotp, { accountId })
      if (totp !== null) await insert(tx, SQL.insertTotp, { ...totp, accountId }, 'TOTP secret')
    },
    async setRecoveryCodes(accountId, hashes) {
      await tx.run(SQL.deleteCodes, { accountId })
      for (const hash of hashes) {
        const row: RecoveryCodeRecord = { accountId, hash }
        await insert(tx, SQL.insertCode, row, 'recovery code')
      }
    },
    async deleteRecoveryCode(accountId, hash) {
      await tx.run(SQL.deleteCode, { accountId, hash })
    },
    async insertPasskey(passkey) {
      await insert(tx, SQL.insertPasskey, NEW_PASSKEY.write(passkey), `passkey ${passkey.id}`)
    },
    setPasskeyUse: (id, counter, at) =>
      change(tx, SQL.setPasskeyUse, { id, counter, at }, `passkey ${id}`),
    async deletePasskey(id) {
      await tx.run(SQL.deletePasskey, { id })
    },
    insertIdentity: (identity) => insert(tx, SQL.insertIdentity, identity, 'identity'),
    async deleteIdentity(issuer, subject) {
      await tx.run(SQL.deleteIdentity, { issuer, subject })
    },
    appendAudit: (entry) => appendAudit(tx, entry),
    insertMail: (mail) => outbox.insertDelivery(mail),
  }
}

/** Notes when sessions were used. Sessions that have ended are skipped; the latest use stays. */
export async function setSessionsUsed(tx: Statements, uses: readonly SessionUse[]): Promise<void> {
  await tx.run(OF_LISTS(tx).setUsed, { uses })
  await setSeen(tx, uses)
}

async function setSeen(tx: Statements, uses: readonly SessionUse[]): Promise<void> {
  await tx.run(OF_LISTS(tx).setSeen, { uses })
}
