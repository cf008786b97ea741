import { z } from 'zod'
import { AppRef, Timestamp } from '../names.ts'

/**
 * What a key may do: read releases, publish them, change how they are served, speak for devices. `wall` is the only scope of its
 * key: the link of a screen on a wall.
 */
export const Scope = z.enum(['read', 'publish', 'serve', 'fleet', 'wall'])
export type Scope = z.infer<typeof Scope>

/** The scopes of a key that names none: all of the API. */
export const ALL_SCOPES: readonly Scope[] = Scope.exclude(['wall']).options

/** Returns whether no key can have these scopes together. */
export function mixesWall(scopes: readonly Scope[]): boolean {
  return scopes.includes('wall') && scopes.length > 1
}

/** An API key as it is listed: neither the key itself nor its hash. */
export const KeyItem = z.strictObject({
  /** The first 8 characters of the key, to identify it in lists. */
  prefix: z.string(),
  name: z.string(),
  scopes: z.array(Scope).readonly(),
  /** The one app that the key sees, or `null` for all. */
  app: AppRef.nullable(),
  /** Whether the key may make changes that require approval on the channel. */
  bypassApproval: z.boolean(),
  createdAt: Timestamp,
  lastUsedAt: Timestamp.nullable(),
  revokedAt: Timestamp.nullable(),
})
export type KeyItem = z.infer<typeof KeyItem>
