import { OTHER } from '../../../../shared/devices/counting.ts'
import type { NamedBy, ProfileClaim } from '../../../fleet/profile-claim.ts'
import type { NumberedProfile, StoredProfile } from '../batch.ts'
import { ProfileBudgets } from './profile-budgets.ts'
import { type KnownProfile, ProfileTree } from './profile-tree.ts'

/** As stored: none, a release or a key. Never lowered. */
const RANKS = { caller: 0, version: 1, release: 1, key: 2 } as const satisfies Record<
  NamedBy,
  StoredProfile['namedBy']
>
/**
 * All profiles, by content and by number. Numbers start at 1 and are never reused. Unverified profiles are
 * limited per app. Beyond the limit, they are counted as other.
 */
export class Profiles {
  readonly #tree = new ProfileTree()
  readonly #byId: (KnownProfile | undefined)[] = [undefined]
  /** The claims of check-ins: most are equal to an earlier one. */
  readonly #claimed = new WeakMap<ProfileClaim, KnownProfile>()
  readonly #budgets: ProfileBudgets
  #fresh = new Set<KnownProfile>()
  #changed = new Set<KnownProfile>()
  #retired: number[] = []

  /** `budget`, `mostKeyed`: see `ProfileBudgets`. */
  constructor(budget: number, mostKeyed?: number) {
    this.#budgets = new ProfileBudgets(budget, mostKeyed)
  }

  /** Adds a stored profile. */
  load({ appKey, namedBy, lastDay, ...profile }: StoredProfile): KnownProfile {
    const known = { profile, appKey, namedBy, lastDay, devices: 0, leftAt: 0 }
    this.#tree.add(known)
    this.#byId[profile.id] = known
    this.#budgets.count(known, 1)
    return known
  }

  get(id: number): NumberedProfile | undefined {
    return this.#byId[id]?.profile
  }

  /** The profile with the data that determines how long it is kept. */
  known(id: number): KnownProfile | undefined {
    return this.#byId[id]
  }

  /** The highest number in use so far. */
  get highest(): number {
    return this.#byId.length - 1
  }

  /** The profiles of a channel. */
  ofChannel(channelKey: number): NumberedProfile[] {
    return this.#tree.ofChannel(channelKey)
  }

  /** Never assigns numbers up to `id` (again). */
  reserve(id: number): void {
    if (this.#byId.length <= id) this.#byId.length = id + 1
  }

  find({ channelKey, version, platform, arch }: ProfileClaim): KnownProfile | undefined {
    return this.#tree.find(channelKey, version, platform, arch)
  }

  /** The profile that a claim was last counted under, if it is still known; see `remember`. */
  claimed(claim: ProfileClaim): KnownProfile | undefined {
    const known = this.#claimed.get(claim)
    return known !== undefined && this.#byId[known.profile.id] === known ? known : undefined
  }

  /** Saves the lookup of the same claim next time, unless it was counted under other content. */
  remember(claim: ProfileClaim, known: KnownProfile): void {
    if (isItself(claim, known)) this.#claimed.set(claim, known)
  }

  /** Returns whether keys can add that many more profiles. */
  hasRoomFor(count: number): boolean {
    return this.#budgets.hasRoomFor(count)
  }

  /**
   * Returns the profile that a device counts under, created if it is new and allowed: that of the claim,
   * else that of its released version on other platforms, else the channel's other.
   */
  admit(appKey: number, claim: ProfileClaim): KnownProfile {
    const { channelKey, version, platform, arch, namedBy } = claim
    const known = this.find(claim)
    if (known !== undefined) {
      // A released version does not verify an unknown platform.
      if (namedBy !== 'version') this.#name(known, RANKS[namedBy])
      return known
    }
    const vouched = namedBy === 'key' || namedBy === 'release'
    if (vouched || this.#budgets.admits(appKey)) {
      const rank = vouched ? RANKS[namedBy] : 0
      return this.#create(appKey, channelKey, version, platform, arch, rank)
    }
    if (namedBy === 'caller') return this.other(appKey, channelKey)
    return (
      this.#tree.find(channelKey, version, OTHER, OTHER) ??
      this.#create(appKey, channelKey, version, OTHER, OTHER, RANKS.version)
    )
  }

  /** The profile under which a channel counts everything that has no profile of its own. */
  other(appKey: number, channelKey: number): KnownProfile {
    return (
      this.#tree.find(channelKey, OTHER, OTHER, OTHER) ??
      this.#create(appKey, channelKey, OTHER, OTHER, OTHER, RANKS.release)
    )
  }

  /** Records that the profile was used on a UTC day. */
  touch(known: KnownProfile, day: number): void {
    if (known.lastDay === day) return
    known.lastDay = day
    this.#changed.add(known)
  }

  /** Returns whether the profile was not taken for storing yet. */
  isFresh(known: KnownProfile): boolean {
    return this.#fresh.has(known)
  }

  /** Removes a stored profile. Once that is stored too, its counts are added to other. */
  retire(known: KnownProfile): void {
    const { id, channelKey } = known.profile
    this.#tree.remove(known)
    this.#byId[id] = undefined
    this.#changed.delete(known)
    this.#budgets.count(known, -1)
    this.#retired.push(id, this.other(known.appKey, channelKey).profile.id)
  }

  /** Removes the profiles of a channel that was removed with all its data. */
  drop(channelKey: number): void {
    for (const { id } of this.#tree.ofChannel(channelKey)) {
      const known = this.#byId[id]
      if (known === undefined) continue
      this.#tree.remove(known)
      this.#byId[id] = undefined
      this.#fresh.delete(known)
      this.#changed.delete(known)
      this.#budgets.count(known, -1)
    }
  }

  /** Returns the profiles that are not stored yet. */
  takeChanges(): {
    profiles: readonly StoredProfile[]
    profileRows: Float64Array
    retired: Float64Array
  } {
    const rows: number[] = []
    for (const known of this.#changed) {
      if (!this.#fresh.has(known)) rows.push(known.namedBy, known.lastDay, known.profile.id)
    }
    const profiles = [...this.#fresh].map(({ profile, appKey, namedBy, lastDay }) => {
      return { ...profile, appKey, namedBy, lastDay }
    })
    const retired = Float64Array.from(this.#retired)
    this.#fresh.clear()
    this.#changed.clear()
    this.#retired = []
    return { profiles, profileRows: Float64Array.from(rows), retired }
  }

  #create(
    appKey: number,
    channelKey: number,
    version: string,
    platform: string,
    arch: string,
    namedBy: StoredProfile['namedBy'],
  ): KnownProfile {
    const profile = { id: this.#byId.length, channelKey, version, platform, arch }
    const known = this.load({ ...profile, appKey, namedBy, lastDay: 0 })
    this.#fresh.add(known)
    return known
  }

  #name(known: KnownProfile, rank: StoredProfile['namedBy']): void {
    if (rank <= known.namedBy) return
    this.#budgets.count(known, -1)
    known.namedBy = rank
    this.#budgets.count(known, 1)
    this.#changed.add(known)
  }
}

/** Returns whether a claim is counted under its own profile. */
export function isItself({ platform }: ProfileClaim, { profile }: KnownProfile): boolean {
  return profile.platform === platform
}
