import type { Logger } from 'pino'
import type { Catalog } from '../catalog/catalog.ts'
import type { KeyUsage } from '../catalog/key-usage.ts'
import type { Offers } from '../catalog/offers.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { RateLimiter } from './rate-limit.ts'

/** What the public API is made of. */
export interface ApiContext {
  readonly catalog: Catalog
  readonly fleet: Fleet
  readonly keyUsage: KeyUsage
  readonly offers: Offers
  readonly log: Logger
  readonly limits: {
    /** Per client address: update checks and the feed. */
    readonly device: RateLimiter
    /** Per key: everything under /api/v1. */
    readonly key: RateLimiter
    /** Per client address: keys that are refused. */
    readonly rejectedKey: RateLimiter
  }
  /** Tells whether to believe what the proxy at that address says of the caller's; null: no proxy. */
  readonly trustProxy: ((address: string, hop: number) => boolean) | null
  /** Version of this program. */
  readonly version: string
}
