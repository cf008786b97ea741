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
import { Columns } from './columns.ts'

export const NEW_ACCOUNT = new Columns<NewAccount>({
  id: 'plain',
  name: 'plain',
  nameKey: 'plain',
  email: 'plain',
  serverRole: 'plain',
  createdAt: 'plain',
  passwordHash: 'plain',
  vouchedBy: 'plain',
})

export const ACCOUNT = new Columns<AccountRecord>({
  ...NEW_ACCOUNT.forms,
  disabledAt: 'plain',
  lastSeenAt: 'plain',
})

export const APP_ROLE = new Columns<AppRoleRecord>({
  accountId: 'plain',
  appKey: 'plain',
  role: 'plain',
})

export const SESSION = new Columns<SessionRecord>({
  id: 'plain',
  kind: 'plain',
  accountId: 'plain',
  tokenHash: 'plain',
  createdAt: 'plain',
  lastUsedAt: 'plain',
  expiresAt: 'plain',
  address: 'plain',
  userAgent: 'plain',
})

export const LINK = new Columns<LinkRecord>({
  tokenHash: 'plain',
  kind: 'plain',
  accountId: 'plain',
  createdAt: 'plain',
  expiresAt: 'plain',
})

export const NEW_PASSKEY = new Columns<NewPasskey>({
  id: 'plain',
  accountId: 'plain',
  name: 'plain',
  publicKey: 'plain',
  counter: 'plain',
  transports: 'json',
  createdAt: 'plain',
})

export const PASSKEY = new Columns<PasskeyRecord>({
  ...NEW_PASSKEY.forms,
  lastUsedAt: 'plain',
})

export const TOTP = new Columns<TotpRecord>({
  accountId: 'plain',
  secret: 'plain',
  lastStep: 'plain',
  createdAt: 'plain',
})

export const RECOVERY_CODE = new Columns<RecoveryCodeRecord>({
  accountId: 'plain',
  hash: 'plain',
})

export const IDENTITY = new Columns<IdentityRecord>({
  issuer: 'plain',
  subject: 'plain',
  accountId: 'plain',
  createdAt: 'plain',
})
