import type { KnownProfile } from './profile-tree.ts'

/** Maximum number of profiles that calls with a key can create. */
const MAX_KEYED_PROFILES = 200_000

/** How many profiles callers may make, by who vouches for them. */
export class ProfileBudgets {
  readonly #budget: number
  readonly #mostKeyed: number
  /** Profiles that nobody vouches for, by app. */
  readonly #unnamed = new Map<number, number>()
  #keyed = 0

  /** `budget`: maximum profiles per app that no release or key names; `mostKeyed`: maximum that keys name. */
  constructor(budget: number, mostKeyed = MAX_KEYED_PROFILES) {
    this.#budget = budget
    this.#mostKeyed = mostKeyed
  }

  /** Counts a profile that came or went, under who vouches for it now. */
  count({ appKey, namedBy }: KnownProfile, change: 1 | -1): void {
    if (namedBy === 0) this.#unnamed.set(appKey, (this.#unnamed.get(appKey) ?? 0) + change)
    else if (namedBy === 2) this.#keyed += change
  }

  /** Returns whether the app can have one more profile that nobody vouches for. */
  admits(appKey: number): boolean {
    return (this.#unnamed.get(appKey) ?? 0) < this.#budget
  }

  /** Returns whether keys can name that many more profiles. */
  hasRoomFor(count: number): boolean {
    return this.#keyed + count <= this.#mostKeyed
  }
}
