import { z } from 'zod'

/**
 * What a person may do, on the server or in an app. Each role includes those before it.
 *
 * - `viewer`: reads
 * - `release_manager`: publishes, changes how releases are served, and manages the API keys of an app
 * - `administrator`: manages channels and devices, and renames, archives and deletes apps; on the server also
 *   creates apps, and manages API keys for all apps, people, settings and backups
 */
export const Role = z.enum(['viewer', 'release_manager', 'administrator'])
export type Role = z.infer<typeof Role>

const RANKS: Readonly<Record<Role, number>> = { viewer: 1, release_manager: 2, administrator: 3 }

/** Returns whether a role includes `needed`. Without a role nothing is included. */
export function includesRole(role: Role | null, needed: Role): boolean {
  return role !== null && RANKS[role] >= RANKS[needed]
}

/** Returns the role of the two that includes the other. */
export function higherRole(one: Role | null, other: Role | null): Role | null {
  return other === null || includesRole(one, other) ? one : other
}

/** Returns the role of the two that the other includes; none if one is none. */
export function lowerRole(one: Role | null, other: Role | null): Role | null {
  return includesRole(one, other ?? 'viewer') ? other : one
}
