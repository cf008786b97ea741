import type { DeviceQuery } from '../../../../fleet/device-query.ts'
import type { Queries } from '../../connection/database.ts'
import type { Condition } from './matching.ts'
import { type CountedProfile, compareListed } from './profiles.ts'
import { type ListedRow, placeOf, type RankedProfile, walkByRank } from './walk.ts'

export interface VersionList {
  readonly matches: Condition
  /** The profiles that are listed. */
  readonly profiles: readonly CountedProfile[]
  /** Whether every device of these profiles matches. */
  readonly isWhole: boolean
  readonly query: DeviceQuery
}

/** Reads the next devices in the order of their versions, and then of their numbers. */
export async function walkByVersion(
  snapshot: Queries,
  { matches, profiles, isWhole, query }: VersionList,
): Promise<ListedRow[]> {
  const { cursor, downwards, limit } = placeOf(query)
  const sign = downwards ? -1 : 1
  const from = cursor === undefined ? undefined : String(cursor.key)
  const versions = [...new Set(profiles.map(({ version }) => version))]
    .filter((version) => from === undefined || sign * compareListed(version, from) >= 0)
    .sort((one, two) => sign * compareListed(one, two))
  const ranked: RankedProfile[] = []
  let devices = 0
  for (const [rank, version] of versions.entries()) {
    // Of the version of the cursor, only some devices are left.
    const after = version === from ? cursor?.device : undefined
    for (const profile of profiles) {
      if (profile.version !== version) continue
      ranked.push({ id: profile.id, rank, after })
      if (after === undefined) devices += profile.devices
    }
    if (isWhole && devices >= limit) break
  }
  return await walkByRank(snapshot, ranked, matches, { downwards, limit })
}
