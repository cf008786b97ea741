import { z } from 'zod'
import { SessionKind } from '../../access/person.ts'
import { Role } from '../../access/role.ts'
import { ActorKind } from '../../events/audit.ts'
import { AppRef, Timestamp } from '../../names.ts'

/** The roles of the person at the page. */
export const PageAccess = z.strictObject({
  /** Counts in every app; null for none. */
  server: Role.nullable(),
  apps: z.array(z.strictObject({ app: AppRef, role: Role })),
})
export type PageAccess = z.infer<typeof PageAccess>

/** What a person confirms with that it is still them. */
export const ConfirmationProof = z.union([
  z.strictObject({ password: z.string().max(1_024) }),
  z.strictObject({ totp: z.string().max(20) }),
])
export type ConfirmationProof = z.infer<typeof ConfirmationProof>

/** Who the page acts as. */
export const Me = z.strictObject({
  /** The name that the audit log has. */
  name: z.string(),
  kind: ActorKind,
  access: PageAccess,
})

/** Characters of the longest ID of an account or a session. */
const MAX_ID = 64

/** Most roles in apps that one account has. */
const MAX_APP_ROLES = 1_000

export const PersonId = z.string().min(1).max(MAX_ID)

/** `invited`: nobody has signed in to the account, and only a link leads to it. */
export const PersonStatus = z.enum(['active', 'invited', 'disabled'])
export type PersonStatus = z.infer<typeof PersonStatus>

/** An account as administrators see it. */
export const PersonItem = z.strictObject({
  id: PersonId,
  name: z.string(),
  status: PersonStatus,
  access: PageAccess,
  /** Where mail for the person goes; null for none. */
  email: z.string().nullable(),
  createdAt: Timestamp,
  lastSeenAt: Timestamp.nullable(),
  /** Whether an authenticator app is asked for after the password. */
  twoFactor: z.boolean(),
  passkeys: z.int(),
  /** The number of sessions that have not ended. */
  sessions: z.int(),
  /** A link that was created and not used yet. */
  openLink: z
    .strictObject({ kind: z.enum(['invitation', 'reset']), expiresAt: Timestamp })
    .nullable(),
  /** Whether it is the account of who asks. */
  isSelf: z.boolean(),
})
export type PersonItem = z.infer<typeof PersonItem>

/** Roles to give: those that are left out are taken away. */
export const AccessInput = PageAccess.extend({ apps: PageAccess.shape.apps.max(MAX_APP_ROLES) })

/** The one answer that holds a link. */
export const IssuedPersonLink = z.strictObject({
  person: PersonItem,
  kind: z.enum(['invitation', 'reset']),
  token: z.string(),
  expiresAt: Timestamp,
  /** The address of the console for browsers; null if the server offers none. */
  console: z.url().nullable(),
  /** Whether the link is mailed, too. */
  mailed: z.boolean(),
})
export type IssuedPersonLink = z.infer<typeof IssuedPersonLink>

/** Somebody who is signed in on one device. */
export const SessionItem = z.strictObject({
  id: z.string(),
  createdAt: Timestamp,
  lastUsedAt: Timestamp,
  address: z.string(),
  kind: SessionKind,
  /** As the browser names itself, or the name of the computer of a command line; unverified. */
  userAgent: z.string(),
})
