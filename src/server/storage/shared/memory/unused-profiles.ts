import type { Profiles } from './profiles.ts'

/** Profiles checked in one search. */
const LOOKED_AT = 2_000

/** When a profile counts as unused. */
export interface UnusedRule {
  /** Its last UTC day is before this one, or after the other. */
  readonly before: number
  readonly after: number
  /** The device rows contain the check-ins up to this one. */
  readonly rowsThrough: number
  /** Maximum number. */
  readonly limit: number
}

/** Retires unverified profiles that nothing uses. */
export class UnusedProfiles {
  readonly #profiles: Profiles
  #cursor = 0

  constructor(profiles: Profiles) {
    this.#profiles = profiles
  }

  /**
   * Checks a part of all profiles; the next call continues with the next part. `skips`: channels that are
   * being removed. Returns how many were retired.
   */
  retire(
    { before, after, rowsThrough, limit }: UnusedRule,
    skips: (channelKey: number) => boolean,
  ): number {
    const profiles = this.#profiles
    const { highest } = profiles
    const end = Math.min(highest, this.#cursor + LOOKED_AT)
    let retired = 0
    while (this.#cursor < end && retired < limit) {
      const known = profiles.known(++this.#cursor)
      if (known === undefined || known.namedBy !== 0 || known.devices > 0) continue
      if (known.lastDay >= before && known.lastDay <= after) continue
      if (known.leftAt > rowsThrough || profiles.isFresh(known)) continue
      if (skips(known.profile.channelKey)) continue
      profiles.retire(known)
      retired++
    }
    if (this.#cursor >= highest) this.#cursor = 0
    return retired
  }
}
