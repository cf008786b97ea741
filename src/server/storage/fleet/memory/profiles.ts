import { OTHER } from '../../../../shared/names.ts'
import type { NamedBy, ProfileClaim } from '../../../fleet/profile-claim.ts'
import type { NumberedProfile, StoredProfile } from '../batch.ts'
import { type KnownProfile, ProfileTree } from './profile-tree.ts'

/** Maximum number of profiles that calls with a key can create. */
const MAX_KEYED_PROFILES = 200_000

/** As stored: nobody, a release or a key. Never lowered. */
const RANKS = { caller: 0, version: 1, release: 1, key: 2 } as const satisfies Record<
  NamedBy,
  StoredProfile['namedBy']
>
/** Profiles checked in one search for unused ones. */
const LOOKED_AT = 2_000

/** When a profile counts as unused. */
export interface UnusedRule {
  /** Its last UTC day was before this one, or is after the other. */
  readonly before: number
  readonly after: number
  /** The device rows contain the check-ins up to this one. */
  readonly rowsThrough: number
  /** Maximum number. */
  readonly limit: number
}

/**
 * All profiles, by content and by number. Numbers start at 1 and are never reused. Profiles that nobody
 * vouches for are limited per app; beyond the limit they are counted as other.
 */
export class Profiles {
  readonly #tree = new ProfileTree()
  readonly #byId: (KnownProfile | undefined)[] = [undefined]
  readonly #budget: number
  readonly #mostKeyed: number
  /** Profiles that nobody vouches for, by app. */
  readonly #unnamed = new Map<number, number>()
  #keyed = 0
  #fresh = new Set<KnownProfile>()
  #changed = new Set<KnownProfile>()
  #retired: number[] = []
  #cursor = 0

  /** `budget`: maximum profiles per app that no release or key names; `mostKeyed`: maximum that keys name. */
  constructor(budget: number, mostKeyed = MAX_KEYED_PROFILES) {
    this.#budget = budget
    this.#mostKeyed = mostKeyed
  }

  /** Adds a stored profile. */
  load({ appKey, namedBy, lastDay, ...profile }: StoredProfile): KnownProfile {
    const known = { profile, appKey, namedBy, lastDay, devices: 0, leftAt: 0 }
    this.#tree.add(known)
    this.#byId[profile.id] = known
    this.#count(known, 1)
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

  /** Numbers up to `id` are never given out (again). */
  reserve(id: number): void {
    if (this.#byId.length <= id) this.#byId.length = id + 1
  }

  find({ channelKey, version, platform, arch }: ProfileClaim): KnownProfile | undefined {
    return this.#tree.find(channelKey, version, platform, arch)
  }

  /** Returns whether keys can name that many more profiles. */
  hasRoomFor(count: number): boolean {
    return this.#keyed + count <= this.#mostKeyed
  }

  /**
   * Returns the profile that a device counts under, created if it is new and allowed: that of the claim,
   * else that of its released version on other platforms, else the channel's other.
   */
  admit(appKey: number, claim: ProfileClaim): KnownProfile {
    const { channelKey, version, platform, arch, namedBy } = claim
    const known = this.find(claim)
    if (known !== undefined) {
      // An unverified platform is not vouched for by the version.
      if (namedBy !== 'version') this.#name(known, RANKS[namedBy])
      return known
    }
    const vouched = namedBy === 'key' || namedBy === 'release'
    if (vouched || (this.#unnamed.get(appKey) ?? 0) < this.#budget) {
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

  /**
   * Forgets profiles that nobody vouches for and nothing uses, so that they are counted as other
   * once that is stored. `skips`: channels that are being removed. Checks a part of all profiles; the
   * next call continues with the next part. Returns how many it forgot.
   */
  retire(
    { before, after, rowsThrough, limit }: UnusedRule,
    skips: (channelKey: number) => boolean,
  ): number {
    const { highest } = this
    const end = Math.min(highest, this.#cursor + LOOKED_AT)
    let retired = 0
    while (this.#cursor < end && retired < limit) {
      const known = this.#byId[++this.#cursor]
      if (known === undefined || known.namedBy !== 0 || known.devices > 0) continue
      if (known.lastDay >= before && known.lastDay <= after) continue
      if (known.leftAt > rowsThrough || this.#fresh.has(known)) continue
      if (skips(known.profile.channelKey)) continue
      this.#forget(known)
      retired++
    }
    if (this.#cursor >= highest) this.#cursor = 0
    return retired
  }

  /** Forgets the profiles of a channel that was removed with all that it had. */
  drop(channelKey: number): void {
    for (const { id } of this.#tree.ofChannel(channelKey)) {
      const known = this.#byId[id]
      if (known === undefined) continue
      this.#tree.remove(known)
      this.#byId[id] = undefined
      this.#fresh.delete(known)
      this.#changed.delete(known)
      this.#count(known, -1)
    }
  }

  /** Hands over what is not stored yet. */
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
    this.#count(known, -1)
    known.namedBy = rank
    this.#count(known, 1)
    this.#changed.add(known)
  }

  #forget(known: KnownProfile): void {
    const { id, channelKey } = known.profile
    this.#tree.remove(known)
    this.#byId[id] = undefined
    this.#changed.delete(known)
    this.#count(known, -1)
    this.#retired.push(id, this.other(known.appKey, channelKey).profile.id)
  }

  #count({ appKey, namedBy }: KnownProfile, change: 1 | -1): void {
    if (namedBy === 0) this.#unnamed.set(appKey, (this.#unnamed.get(appKey) ?? 0) + change)
    else if (namedBy === RANKS.key) this.#keyed += change
  }
}
