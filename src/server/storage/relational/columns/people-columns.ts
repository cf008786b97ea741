import type {
  AccountRecord,
  AppRoleRecord,
  IdentityRecord,
  LinkRecord,
  NewAccount,
  NewPasskey,
  PasskeyRecord,
  RecoveryCodeRecord,
  SessionRecord,
  TotpRecord,
} from '../../../people/store.ts'
import type { Columns } from './columns.ts'

export const NEW_ACCOUNT = {
  id: 'id',
  name: 'name',
  nameKey: 'name_key',
  email: 'email',
  serverRole: 'server_role',
  createdAt: 'created_at',
  passwordHash: 'password_hash',
  vouchedBy: 'vouched_by',
} as const satisfies Columns<NewAccount>

export const ACCOUNT = {
  ...NEW_ACCOUNT,
  disabledAt: 'disabled_at',
  lastSeenAt: 'last_seen_at',
} as const satisfies Columns<AccountRecord>

export const APP_ROLE = {
  accountId: 'account_id',
  appKey: 'app_key',
  role: 'role',
} as const satisfies Columns<AppRoleRecord>

export const SESSION = {
  id: 'id',
  kind: 'kind',
  accountId: 'account_id',
  tokenHash: 'token_hash',
  createdAt: 'created_at',
  lastUsedAt: 'last_used_at',
  expiresAt: 'expires_at',
  address: 'address',
  userAgent: 'user_agent',
} as const satisfies Columns<SessionRecord>

export const LINK = {
  tokenHash: 'token_hash',
  kind: 'kind',
  accountId: 'account_id',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
} as const satisfies Columns<LinkRecord>

/** A passkey as its table holds it: the transports as JSON. */
export type PasskeyRow = Omit<PasskeyRecord, 'transports'> & { readonly transports: string }
export type PasskeyParameters = Omit<PasskeyRow, 'lastUsedAt'>

export const NEW_PASSKEY = {
  id: 'id',
  accountId: 'account_id',
  name: 'name',
  publicKey: 'public_key',
  counter: 'counter',
  transports: 'transports',
  createdAt: 'created_at',
} as const satisfies Columns<NewPasskey>

export const PASSKEY = {
  ...NEW_PASSKEY,
  lastUsedAt: 'last_used_at',
} as const satisfies Columns<PasskeyRecord>

export const TOTP = {
  accountId: 'account_id',
  secret: 'secret',
  lastStep: 'last_step',
  createdAt: 'created_at',
} as const satisfies Columns<TotpRecord>

export const RECOVERY_CODE = {
  accountId: 'account_id',
  hash: 'hash',
} as const satisfies Columns<RecoveryCodeRecord>

export const IDENTITY = {
  issuer: 'issuer',
  subject: 'subject',
  accountId: 'account_id',
  createdAt: 'created_at',
} as const satisfies Columns<IdentityRecord>
