import type {
  IdentityRecord,
  LinkRecord,
  NewAccount,
  NewPasskey,
  SessionRecord,
  SessionUse,
  StoredAccess,
  TotpRecord,
} from '../../../people/store.ts'
import { insertInto } from '../../columns/columns.ts'
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
} from '../../columns/people-columns.ts'
import type { Queries, Transaction } from '../connection/database.ts'
import { named } from '../connection/statements.ts'
import { change, insert } from '../transactions/writes.ts'

const USES = 'unnest($1::text[], $2::text[]) AS uses (session, at)'

const SQL = {
  insertAccount: named(insertInto('accounts', NEW_ACCOUNT)),
  setEmail: 'UPDATE accounts SET email = $2 WHERE id = $1',
  setPassword: 'UPDATE accounts SET password_hash = $2 WHERE id = $1',
  setVoucher: 'UPDATE accounts SET vouched_by = $2 WHERE id = $1',
  setServerRole: 'UPDATE accounts SET server_role = $2 WHERE id = $1',
  deleteAppRoles: 'DELETE FROM account_app_roles WHERE account_id = $1',
  insertAppRole: named(insertInto('account_app_roles', APP_ROLE)),
  setDisabled: 'UPDATE accounts SET disabled_at = $2 WHERE id = $1',
  deleteAccount: 'DELETE FROM accounts WHERE id = $1',
  insertSession: named(insertInto('sessions', SESSION)),
  deleteSessions: 'DELETE FROM sessions WHERE id = ANY ($1::text[])',
  setUsed: `UPDATE sessions SET last_used_at = used.at
    FROM (SELECT session, max(at COLLATE "C") AS at FROM ${USES} GROUP BY session) AS used
    WHERE id = used.session AND last_used_at < used.at`,
  setSeen: `UPDATE accounts SET last_seen_at = used.at
    FROM (
      SELECT account_id, max(at COLLATE "C") AS at FROM ${USES} JOIN sessions s ON s.id = session
      GROUP BY account_id
    ) AS used
    WHERE id = used.account_id AND (last_seen_at IS NULL OR last_seen_at < used.at)`,
  insertLink: named(insertInto('account_links', LINK)),
  deleteLinks: 'DELETE FROM account_links WHERE token_hash = ANY ($1::text[])',
  insertTotp: named(insertInto('totp_secrets', TOTP)),
  deleteTotp: 'DELETE FROM totp_secrets WHERE account_id = $1',
  insertCode: named(insertInto('recovery_codes', RECOVERY_CODE)),
  deleteCodes: 'DELETE FROM recovery_codes WHERE account_id = $1',
  deleteCode: 'DELETE FROM recovery_codes WHERE account_id = $1 AND hash = $2',
  insertPasskey: named(insertInto('passkeys', NEW_PASSKEY)),
  setPasskeyUse: 'UPDATE passkeys SET counter = $2, last_used_at = $3 WHERE id = $1',
  deletePasskey: 'DELETE FROM passkeys WHERE id = $1',
  insertIdentity: named(insertInto('account_identities', IDENTITY)),
  deleteIdentity: 'DELETE FROM account_identities WHERE issuer = $1 AND subject = $2',
} as const

export async function insertAccount(tx: Transaction, account: NewAccount): Promise<void> {
  await insert(tx, SQL.insertAccount, account, `account "${account.name}"`)
}

export async function setEmail(tx: Queries, id: string, email: string | null): Promise<void> {
  await change(tx, SQL.setEmail, [id, email], `account ${id}`)
}

export async function setPassword(tx: Queries, id: string, hash: string): Promise<void> {
  await change(tx, SQL.setPassword, [id, hash], `account ${id}`)
}

export async function setVoucher(tx: Queries, id: string, person: string | null): Promise<void> {
  await change(tx, SQL.setVoucher, [id, person], `account ${id}`)
}

export async function setAccess(
  tx: Transaction,
  accountId: string,
  { serverRole, appRoles }: StoredAccess,
): Promise<void> {
  await change(tx, SQL.setServerRole, [accountId, serverRole], `account ${accountId}`)
  await tx.run(SQL.deleteAppRoles, [accountId])
  for (const { appKey, role } of appRoles) {
    await insert(tx, SQL.insertAppRole, { accountId, appKey, role }, `role in app ${appKey}`)
  }
}

export async function setDisabled(tx: Queries, id: string, at: string | null): Promise<void> {
  await change(tx, SQL.setDisabled, [id, at], `account ${id}`)
}

export async function deleteAccount(tx: Queries, id: string): Promise<void> {
  await change(tx, SQL.deleteAccount, [id], `account ${id}`)
}

/** Notes its account as seen. */
export async function insertSession(tx: Transaction, session: SessionRecord): Promise<void> {
  await insert(tx, SQL.insertSession, session, `session ${session.id}`)
  await tx.run(SQL.setSeen, [[session.id], [session.createdAt]])
}

export async function deleteSessions(tx: Queries, ids: readonly string[]): Promise<void> {
  await tx.run(SQL.deleteSessions, [ids])
}

/** Sessions that have ended are skipped; the latest use stays. */
export async function setSessionsUsed(tx: Queries, uses: readonly SessionUse[]): Promise<void> {
  const parameters = [uses.map(({ sessionId }) => sessionId), uses.map(({ at }) => at)]
  await tx.run(SQL.setUsed, parameters)
  await tx.run(SQL.setSeen, parameters)
}

export async function insertLink(tx: Transaction, link: LinkRecord): Promise<void> {
  await insert(tx, SQL.insertLink, link, 'link')
}

export async function deleteLinks(tx: Queries, tokenHashes: readonly string[]): Promise<void> {
  await tx.run(SQL.deleteLinks, [tokenHashes])
}

/** Replaces the secret of an account; null deletes it. */
export async function setTotp(
  tx: Transaction,
  accountId: string,
  totp: Omit<TotpRecord, 'accountId'> | null,
): Promise<void> {
  await tx.run(SQL.deleteTotp, [accountId])
  if (totp !== null) await insert(tx, SQL.insertTotp, { ...totp, accountId }, 'TOTP secret')
}

/** Replaces all codes of an account. */
export async function setRecoveryCodes(
  tx: Transaction,
  accountId: string,
  hashes: readonly string[],
): Promise<void> {
  await tx.run(SQL.deleteCodes, [accountId])
  for (const hash of hashes) await insert(tx, SQL.insertCode, { accountId, hash }, 'recovery code')
}

export async function deleteRecoveryCode(tx: Queries, id: string, hash: string): Promise<void> {
  await tx.run(SQL.deleteCode, [id, hash])
}

export async function insertPasskey(tx: Transaction, passkey: NewPasskey): Promise<void> {
  const row: PasskeyParameters = { ...passkey, transports: JSON.stringify(passkey.transports) }
  await insert(tx, SQL.insertPasskey, row, `passkey ${passkey.id}`)
}

export async function setPasskeyUse(
  tx: Queries,
  id: string,
  counter: number,
  at: string,
): Promise<void> {
  await change(tx, SQL.setPasskeyUse, [id, counter, at], `passkey ${id}`)
}

export async function deletePasskey(tx: Queries, id: string): Promise<void> {
  await tx.run(SQL.deletePasskey, [id])
}

export async function insertIdentity(tx: Transaction, identity: IdentityRecord): Promise<void> {
  await insert(tx, SQL.insertIdentity, identity, 'identity')
}

export async function deleteIdentity(tx: Queries, issuer: string, subject: string): Promise<void> {
  await tx.run(SQL.deleteIdentity, [issuer, subject])
}
