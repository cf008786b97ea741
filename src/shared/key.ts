import { z } from 'zod'

/** What a key may do: read releases, publish them, change how they are served, speak for devices. */
export const Scope = z.enum(['read', 'publish', 'serve', 'fleet'])
export type Scope = z.infer<typeof Scope>

/** The scopes of a key that names none: all. */
export const ALL_SCOPES: readonly Scope[] = Scope.options
