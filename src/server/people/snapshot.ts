import type { Account } from './account.ts'
import type {
  AccountRecord,
  LinkRecord,
  PasskeyRecord,
  PeopleState,
  SessionRecord,
  TotpRecord,
} from './store.ts'

/** An account with what only the server may know of it. */
export interface StoredAccount {
  readonly record: AccountRecord
  readonly account: Account
  readonly totp: TotpRecord | undefined
  /** SHA-256 of the recovery codes that were not used yet, in hex. */
  readonly recoveryCodes: ReadonlySet<string>
  readonly passkeys: readonly PasskeyRecord[]
  /** Oldest first. */
  readonly sessions: readonly SessionRecord[]
}

/** All people at one revision. Immutable: a change makes a new one. */
export interface PeopleSnapshot {
  readonly revision: number
  /** By name. */
  readonly accounts: readonly StoredAccount[]
  readonly accountById: ReadonlyMap<string, StoredAccount>
  readonly accountByNameKey: ReadonlyMap<string, StoredAccount>
  readonly accountByIdentity: ReadonlyMap<string, StoredAccount>
  readonly sessionById: ReadonlyMap<string, SessionRecord>
  /** Sessions by the SHA-256 of their token, in hex; links below likewise. */
  readonly sessionByTokenHash: ReadonlyMap<string, SessionRecord>
  readonly links: readonly LinkRecord[]
  readonly linkByTokenHash: ReadonlyMap<string, LinkRecord>
  readonly passkeyById: ReadonlyMap<string, PasskeyRecord>
}

/** Returns the snapshot of what is stored. */
export function snapshotOf(state: PeopleState): PeopleSnapshot {
  const roles = Map.groupBy(state.appRoles, ({ accountId }) => accountId)
  const sessions = Map.groupBy(state.sessions, ({ accountId }) => accountId)
  const passkeys = Map.groupBy(state.passkeys, ({ accountId }) => accountId)
  const codes = Map.groupBy(state.recoveryCodes, ({ accountId }) => accountId)
  const identities = Map.groupBy(state.identities, ({ accountId }) => accountId)
  const totps = new Map(state.totps.map((totp) => [totp.accountId, totp]))
  const accounts = state.accounts.map((record): StoredAccount => {
    const { id, name, email, createdAt, disabledAt, lastSeenAt } = record
    const totp = totps.get(id)
    const recoveryCodes = new Set(codes.get(id)?.map(({ hash }) => hash))
    const apps = new Map(roles.get(id)?.map(({ appKey, role }) => [appKey, role]))
    const keys = passkeys.get(id) ?? []
    const account: Account = {
      ...{ id, name, email, createdAt, disabledAt, lastSeenAt },
      access: { server: record.serverRole, apps },
      hasPassword: record.passwordHash !== null,
      passkeys: keys.map(({ id: passkey, name: called, createdAt: at, lastUsedAt }) => {
        return { id: passkey, name: called, createdAt: at, lastUsedAt }
      }),
      secondFactors:
        totp === undefined ? [] : recoveryCodes.size === 0 ? ['totp'] : ['totp', 'recovery_code'],
      recoveryCodesLeft: recoveryCodes.size,
      identities: (identities.get(id) ?? []).map(({ issuer, subject }) => ({ issuer, subject })),
    }
    return {
      record,
      account,
      totp,
      recoveryCodes,
      passkeys: keys,
      sessions: sessions.get(id) ?? [],
    }
  })
  const accountById = new Map(accounts.map((stored) => [stored.record.id, stored]))
  return {
    revision: state.revision,
    accounts,
    accountById,
    accountByNameKey: new Map(accounts.map((stored) => [stored.record.nameKey, stored])),
    accountByIdentity: new Map(
      accounts.flatMap((stored) =>
        stored.account.identities.map((identity) => [identityKey(identity), stored]),
      ),
    ),
    sessionById: new Map(state.sessions.map((session) => [session.id, session])),
    sessionByTokenHash: new Map(state.sessions.map((session) => [session.tokenHash, session])),
    links: state.links,
    linkByTokenHash: new Map(state.links.map((link) => [link.tokenHash, link])),
    passkeyById: new Map(state.passkeys.map((passkey) => [passkey.id, passkey])),
  }
}

/** Returns the key of `accountByIdentity`. */
export function identityKey({ issuer, subject }: { issuer: string; subject: string }): string {
  return JSON.stringify([issuer, subject])
}

/** Returns whether anybody can sign in to an account. */
function isUsable({ record, account }: StoredAccount): boolean {
  if (record.disabledAt !== null) return false
  return account.hasPassword || account.passkeys.length > 0 || account.identities.length > 0
}

/** Returns whether an account administers the server, now. */
export function isActiveAdministrator(stored: StoredAccount): boolean {
  return stored.record.serverRole === 'administrator' && isUsable(stored)
}

/** Returns whether somebody uses an account, was invited to it, or may not. */
export function statusOf(account: Account): 'active' | 'invited' | 'disabled' {
  const { disabledAt, hasPassword, passkeys, identities } = account
  if (disabledAt !== null) return 'disabled'
  return hasPassword || passkeys.length > 0 || identities.length > 0 ? 'active' : 'invited'
}
