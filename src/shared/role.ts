import { z } from 'zod'

/**
 * What a person may do on a server or in an app. Each role includes those before it.
 *
 * - `viewer`: sees everything
 * - `release_manager`: publishes, changes how releases are served, and manages API keys
 * - `administrator`: manages apps, channels and devices; on the server also people, settings and backups
 */
export const Role = z.enum(['viewer', 'release_manager', 'administrator'])
export type Role = z.infer<typeof Role>

const RANKS: Readonly<Record<Role, number>> = { viewer: 1, release_manager: 2, administrator: 3 }

/** Returns whether a role includes what another may do. No role includes nothing. */
export function includesRole(role: Role | null | undefined, needed: Role): boolean {
  return role != null && RANKS[role] >= RANKS[needed]
}

/** Returns the one of two roles that includes the other; null if there is neither. */
export function higherRole(one: Role | null | undefined, other: Role | null | undefined) {
  if (one == null) return other ?? null
  return includesRole(one, other ?? one) ? one : (other ?? null)
}
