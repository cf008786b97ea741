import type { Role } from '../../shared/access/role.ts'
import type { AuditEntry } from '../catalog/audit-log.ts'
import type { CatalogListener } from '../catalog/store.ts'
import type { DeliveryRecord } from '../outbound/outbox/store.ts'
import type { Account, LinkKind, Session } from './account.ts'

/** An account as it is stored. Times are ISO 8601, UTC, here and below. */
export interface AccountRecord {
  readonly id: string
  readonly name: string
  /** The name as names are compared: see `foldName`. Unique. */
  readonly nameKey: string
  /** Where mail for the person goes; null for none. */
  readonly email: string | null
  readonly serverRole: Role | null
  readonly createdAt: string
  readonly disabledAt: string | null
  readonly lastSeenAt: string | null
  /** In PHC string format; null without a password. */
  readonly passwordHash: string | null
  /** Who gave it a way to sign in, or what it may approve, while approval was required: a `person`; null for nobody. */
  readonly vouchedBy: string | null
}

/** The role of an account in one app. */
export interface AppRoleRecord {
  readonly accountId: string
  readonly appKey: number
  readonly role: Role
}

/** A session. The token is never stored: `tokenHash` is the SHA-256 of it in hex. */
export interface SessionRecord extends Omit<Session, 'account'> {
  readonly accountId: string
  readonly tokenHash: string
}

export interface SessionUse {
  readonly sessionId: string
  readonly at: string
}

/** A link that works once. Stored like a session's token; `accountId` is null for the setup link. */
export interface LinkRecord {
  readonly tokenHash: string
  readonly kind: LinkKind
  readonly accountId: string | null
  readonly createdAt: string
  readonly expiresAt: string
}

/** A passkey (WebAuthn Level 3, section 4: credential record). */
type Passkey = Account['passkeys'][number]

export interface PasskeyRecord extends Passkey {
  readonly accountId: string
  /** COSE public key, base64url. */
  readonly publicKey: string
  readonly counter: number
  readonly transports: readonly string[]
}

/** The secret of an authenticator app (RFC 6238). */
export interface TotpRecord {
  readonly accountId: string
  /** Base32. */
  readonly secret: string
  /** The newest time step of which a code was accepted: no code of it or an older one is again. */
  readonly lastStep: number
  readonly createdAt: string
}

export interface RecoveryCodeRecord {
  readonly accountId: string
  /** SHA-256 of the code, in hex. */
  readonly hash: string
}

export interface IdentityRecord {
  readonly issuer: string
  readonly subject: string
  readonly accountId: string
  readonly createdAt: string
}

/** All that is stored of people, as it was at one revision. */
export interface PeopleState {
  readonly revision: number
  readonly accounts: readonly AccountRecord[]
  readonly appRoles: readonly AppRoleRecord[]
  readonly sessions: readonly SessionRecord[]
  readonly links: readonly LinkRecord[]
  readonly passkeys: readonly PasskeyRecord[]
  readonly totps: readonly TotpRecord[]
  readonly recoveryCodes: readonly RecoveryCodeRecord[]
  readonly identities: readonly IdentityRecord[]
}

export type NewAccount = Omit<AccountRecord, 'disabledAt' | 'lastSeenAt'>
export type NewPasskey = Omit<PasskeyRecord, 'lastUsedAt'>
export interface StoredAccess {
  readonly serverRole: Role | null
  readonly appRoles: readonly Omit<AppRoleRecord, 'accountId'>[]
}

/** Reads and writes inside one transaction, which raises the revision of the people. A duplicate rejects with `DuplicateError`. */
export interface PeopleWrites {
  /** What is committed, and what this transaction wrote. */
  state(): Promise<PeopleState>
  insertAccount(account: NewAccount): Promise<void>
  setEmail(accountId: string, email: string | null): Promise<void>
  setPassword(accountId: string, hash: string): Promise<void>
  setVoucher(accountId: string, person: string | null): Promise<void>
  setAccess(accountId: string, access: StoredAccess): Promise<void>
  /** `null`: enabled. */
  setDisabled(accountId: string, at: string | null): Promise<void>
  /** Deletes the account with all that belongs to it. */
  deleteAccount(accountId: string): Promise<void>
  insertSession(session: SessionRecord): Promise<void>
  /** Ends sessions, with the push notifications of their browsers. */
  deleteSessions(ids: readonly string[]): Promise<void>
  /** Deletes sessions that have expired. Their browsers go on to get push notifications. */
  deleteExpiredSessions(ids: readonly string[]): Promise<void>
  /** Ends the push notifications of all browsers of an account, but of one session. */
  deleteBrowsers(accountId: string, except: string | null): Promise<void>
  insertLink(link: LinkRecord): Promise<void>
  deleteLinks(tokenHashes: readonly string[]): Promise<void>
  /** Replaces the secret of an account; null deletes it. */
  setTotp(accountId: string, totp: Omit<TotpRecord, 'accountId'> | null): Promise<void>
  /** Replaces all codes of an account. */
  setRecoveryCodes(accountId: string, hashes: readonly string[]): Promise<void>
  deleteRecoveryCode(accountId: string, hash: string): Promise<void>
  insertPasskey(passkey: NewPasskey): Promise<void>
  setPasskeyUse(id: string, counter: number, at: string): Promise<void>
  deletePasskey(id: string): Promise<void>
  insertIdentity(identity: IdentityRecord): Promise<void>
  deleteIdentity(issuer: string, subject: string): Promise<void>
  appendAudit(entry: AuditEntry): Promise<void>
  /** Queues a mail to somebody. */
  insertMail(mail: DeliveryRecord): Promise<void>
}

/** Where accounts and sessions are kept. `transact` runs `work` alone, among all processes; when it rejects, nothing is written. */
export interface PeopleStore {
  transact<T>(work: (tx: PeopleWrites) => Promise<T>): Promise<T>
  /** All that is stored; null, in microseconds on a store of this computer, if the committed revision is `revision`. */
  stateUnless(revision: number): Promise<PeopleState | null>
  /** Calls the listener soon, and from then on within a second of every commit of any process, until the function that it returns is called. */
  watch(listener: CatalogListener): () => void
  /** Notes when sessions were used, for their accounts too. The latest use stays. Raises no revision. */
  recordSessionUse(uses: readonly SessionUse[]): Promise<void>
}
