import type { KnownProfile } from './profile-tree.ts'

/** Maximum number of profiles that calls with a key can create. */
const MAX_KEYED_PROFILES = 200_000

/** How many profiles callers can create, by the source that verifies them. */
export class ProfileBudgets {
  readonly #budget: number
  readonly #mostKeyed: number
  /** Unverified profiles by app. */
  readonly #unnamed = new Map<number, number>()
  #keyed = 0

  /** `budget`: maximum unverified profiles per app; `mostKeyed`: maximum that only keys verify. */
  constructor(budget: number, mostKeyed = MAX_KEYED_PROFILES) {
    this.#budget = budget
    this.#mostKeyed = mostKeyed
  }

  /** Counts a profile that was added or removed, under the source that verifies it now. */
  count({ appKey, namedBy }: KnownProfile, change: 1 | -1): void {
    if (namedBy === 0) this.#unnamed.set(appKey, (this.#unnamed.get(appKey) ?? 0) + change)
    else if (namedBy === 2) this.#keyed += change
  }

  /** Returns whether the app can have one more unverified profile beside `planned` that are not counted yet. */
  admits(appKey: number, planned = 0): boolean {
    return (this.#unnamed.get(appKey) ?? 0) + planned < this.#budget
  }

  /** Returns whether keys can add that many more profiles. */
  hasRoomFor(count: number): boolean {
    return this.#keyed + count <= this.#mostKeyed
  }
}
