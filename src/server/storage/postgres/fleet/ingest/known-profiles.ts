import { OTHER } from '../../../../../shared/devices/counting.ts'
import type { InstallProfile } from '../../../../fleet/facts.ts'
import type { NamedBy, ProfileClaim } from '../../../../fleet/profile-claim.ts'
import type { NumberedProfile, StoredProfile } from '../../../shared/batch.ts'
import { ProfileBudgets } from '../../../shared/memory/profile-budgets.ts'
import { type KnownProfile, ProfileTree } from '../../../shared/memory/profile-tree.ts'
import type { Queries } from '../../connection/queries.ts'
import { isOpen } from '../removal/closing-channels.ts'

const RANKS = { caller: 0, version: 1, release: 1, key: 2 } as const satisfies Record<
  NamedBy,
  StoredProfile['namedBy']
>

const COLUMNS = `p.id, p.channel_key AS "channelKey", p.version, p.platform, p.arch,
  p.named_by AS "namedBy", p.last_day AS "lastDay", c.app_key AS "appKey"`

const SQL = {
  above: `SELECT ${COLUMNS} FROM profiles p JOIN channels c ON c.key = p.channel_key WHERE p.id > $1`,
  byId: `SELECT ${COLUMNS} FROM profiles p JOIN channels c ON c.key = p.channel_key WHERE p.id = ANY($1)`,
  // Profiles of a channel that is gone or going are not created. In one order, so that nodes do not wait for each other in a circle.
  create: `WITH created AS (
      INSERT INTO profiles AS known (channel_key, version, platform, arch, named_by)
      SELECT channels.key, wanted.version, platform, arch, named_by
      FROM unnest($1::integer[], $2::text[], $3::text[], $4::text[], $5::smallint[])
        AS wanted (channel_key, version, platform, arch, named_by)
        JOIN channels ON channels.key = wanted.channel_key
      WHERE ${isOpen('channels.key')}
      ORDER BY 1, 2, 3, 4 FOR KEY SHARE OF channels
      ON CONFLICT (channel_key, version, platform, arch)
        DO UPDATE SET named_by = greatest(known.named_by, excluded.named_by)
      RETURNING *
    ) SELECT ${COLUMNS} FROM created p JOIN channels c ON c.key = p.channel_key`,
  use: `UPDATE profiles SET named_by = greatest(profiles.named_by, used.named_by),
      last_day = greatest(last_day, used.day)
    FROM unnest($1::integer[], $2::smallint[], $3::integer[]) AS used (id, named_by, day)
    WHERE profiles.id = used.id`,
} as const

/** A profile that is to be created. */
export interface WantedProfile extends InstallProfile {
  readonly namedBy: StoredProfile['namedBy']
}

/** The profiles of the database that this node has met. Those that other nodes add are read when they are needed. */
export class KnownProfiles {
  readonly #queries: Queries
  readonly #tree = new ProfileTree()
  readonly #byId = new Map<number, KnownProfile>()
  readonly #budgets: ProfileBudgets
  #highest = 0
  readonly #used = new Set<KnownProfile>()

  /** `budget`: most unverified profiles of an app. */
  constructor(queries: Queries, budget: number) {
    this.#queries = queries
    this.#budgets = new ProfileBudgets(budget)
  }

  get(id: number): NumberedProfile | undefined {
    return this.#byId.get(id)?.profile
  }

  known(id: number): KnownProfile | undefined {
    return this.#byId.get(id)
  }

  find({ channelKey, version, platform, arch }: InstallProfile): KnownProfile | undefined {
    return this.#tree.find(channelKey, version, platform, arch)
  }

  /** Records that a profile was used on a UTC day; see `storeUse`. */
  touch(known: KnownProfile, day: number): void {
    if (known.lastDay >= day) return
    known.lastDay = day
    this.#used.add(known)
  }

  /** Records who verifies a profile. */
  name(known: KnownProfile, namedBy: NamedBy): void {
    if (namedBy === 'version' || RANKS[namedBy] <= known.namedBy) return
    this.#budgets.count(known, -1)
    known.namedBy = RANKS[namedBy]
    this.#budgets.count(known, 1)
    this.#used.add(known)
  }

  /**
   * Returns what a device counts under that is not known: the claim, else its released version on other platforms, else
   * the channel's other. `planned`: how many unverified ones are to be created already.
   */
  wanted(appKey: number, claim: ProfileClaim, planned: number): WantedProfile {
    const { channelKey, version, platform, arch, namedBy } = claim
    const isVouched = namedBy === 'key' || namedBy === 'release'
    if (isVouched) return { channelKey, version, platform, arch, namedBy: RANKS[namedBy] }
    if (this.#budgets.admits(appKey, planned)) {
      return { channelKey, version, platform, arch, namedBy: 0 }
    }
    if (namedBy === 'caller') return otherOf(channelKey)
    return { channelKey, version, platform: OTHER, arch: OTHER, namedBy: RANKS.version }
  }

  /** Reads what other nodes have added. */
  async refresh(): Promise<void> {
    const rows = await this.#queries.rows<StoredProfile>(SQL.above, [this.#highest])
    for (const row of rows) this.#load(row)
  }

  /** Reads profiles that are not known. Those that do not exist stay unknown. */
  async meet(ids: Iterable<number>): Promise<void> {
    const missing = [...new Set(ids)].filter((id) => !this.#byId.has(id))
    if (missing.length === 0) return
    const rows = await this.#queries.rows<StoredProfile>(SQL.byId, [missing])
    for (const row of rows) this.#load(row)
  }

  /** Creates profiles in a transaction of their own. Those of a channel that is gone are not created. */
  async create(wanted: readonly WantedProfile[]): Promise<void> {
    if (wanted.length === 0) return
    const rows = await this.#queries.rows<StoredProfile>(SQL.create, [
      wanted.map(({ channelKey }) => channelKey),
      wanted.map(({ version }) => version),
      wanted.map(({ platform }) => platform),
      wanted.map(({ arch }) => arch),
      wanted.map(({ namedBy }) => namedBy),
    ])
    for (const row of rows) this.#load(row)
  }

  /** Forgets profiles that do not exist any more. */
  forget(ids: Iterable<number>): void {
    for (const id of ids) {
      const known = this.#byId.get(id)
      if (known === undefined) continue
      this.#tree.remove(known)
      this.#byId.delete(id)
      this.#budgets.count(known, -1)
      this.#used.delete(known)
    }
  }

  /** Stores when profiles were used, and who verifies them. Repeated with the next call if it fails. */
  async storeUse(): Promise<void> {
    if (this.#used.size === 0) return
    const used = [...this.#used].sort((one, other) => one.profile.id - other.profile.id)
    await this.#queries.run(SQL.use, [
      used.map(({ profile }) => profile.id),
      used.map(({ namedBy }) => namedBy),
      used.map(({ lastDay }) => lastDay),
    ])
    for (const known of used) this.#used.delete(known)
  }

  #load({ appKey, namedBy, lastDay, ...profile }: StoredProfile): void {
    this.#highest = Math.max(this.#highest, profile.id)
    const before = this.#byId.get(profile.id)
    if (before !== undefined) return
    const known = { profile, appKey, namedBy, lastDay, devices: 0, leftAt: 0 }
    this.#byId.set(profile.id, known)
    this.#tree.add(known)
    this.#budgets.count(known, 1)
  }
}

/** Returns the profile under which a channel counts everything that has no profile of its own. */
export function otherOf(channelKey: number): WantedProfile {
  return { channelKey, version: OTHER, platform: OTHER, arch: OTHER, namedBy: RANKS.release }
}
