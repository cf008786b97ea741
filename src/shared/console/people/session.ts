import { z } from 'zod'
import { Role } from '../../access/role.ts'
import { ActorKind } from '../../events/audit.ts'
import { AppRef } from '../../names.ts'

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
