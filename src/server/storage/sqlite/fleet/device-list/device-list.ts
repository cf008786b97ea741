import type { DeviceCursor } from '../../../../fleet/device-query.ts'
import { PHASES, phaseOfState } from '../../../../fleet/health/episode.ts'
import type { NumberedProfile } from '../../../shared/batch.ts'
import { choicesOf } from '../../../shared/listed-profiles.ts'
import { SharedDevices } from '../../../shared/memory/shared-devices.ts'
import type { DeviceListSource } from '../reads/device-list-source.ts'
import { type ListPage, pageById } from './by-id.ts'
import { KnownProfiles } from './known-profiles.ts'
import type { Conditions, DeviceColumns, PreparedHealth } from './matching.ts'
import type { DeviceListHealth, DeviceListQuery, ListedPage, ListedRow } from './query.ts'
import { Searches } from './search.ts'
import { select } from './select.ts'

/**
 * Pages through the devices of an app. Filters and order come from memory that is shared with the
 * thread that answers checks, at a cost of some milliseconds per million devices. Only the rows of the page are
 * read from the store. Uncommitted devices are not listed.
 */
export class DeviceList {
  readonly #source: DeviceListSource
  readonly #profiles = new KnownProfiles()
  readonly #searches: Searches
  readonly #few: number

  /** Up to `few` devices are looked up one by one. More are found by reading all. */
  constructor(source: DeviceListSource, few = 4_000) {
    this.#source = source
    this.#few = few
    this.#searches = new Searches(source, few)
  }

  /** Returns a page: the first one if the cursor leaves less than a page before it, or nothing after it. */
  page(query: DeviceListQuery): ListedPage {
    const devices = new SharedDevices(query.chunks)
    const highest = this.#source.highest()
    this.#profiles.add(this.#source.profilesAbove(this.#profiles.highest))
    const profiles = this.#profiles.accepted(query)
    const search = this.#searches.prepare(query, devices, highest, profiles)
    const health = query.health && this.#prepareHealth(query.health)
    const conditions = { profiles, seenSince: query.seenSince, search, health }
    let page = this.#page(devices, highest, conditions, query)
    const short = page.entries.length < (query.backward ? query.limit : 1)
    if (query.cursor !== undefined && short) {
      const first = { ...query, cursor: undefined, backward: false }
      page = this.#page(devices, highest, conditions, first)
    }
    const { entries, total, before, hasPrevious, hasNext } = page
    return {
      ...takeCensus(devices, highest, conditions, this.#profiles),
      rows: entries.flatMap((entry) => this.#row(devices, entry, query)),
      total,
      offset: before,
      previous: hasPrevious ? entries[0] : undefined,
      next: hasNext ? entries.at(-1) : undefined,
    }
  }

  #prepareHealth({ release, states, now }: DeviceListHealth): PreparedHealth {
    const phases = new Uint8Array(PHASES)
    for (const state of states) phases[phaseOfState(state)] = 1
    return {
      ...{
        release,
        phases,
        waiting: states.includes('waiting'),
        silent: states.includes('silent'),
      },
      isSilent: this.#source.silence(now),
    }
  }

  #page(
    devices: DeviceColumns,
    highest: number,
    conditions: Conditions,
    query: DeviceListQuery,
  ): ListPage {
    if (query.sort === 'deviceId') {
      return pageById(this.#source, devices, highest, conditions, query, this.#few)
    }
    const { sort, cursor, descending, backward, limit } = query
    const { entries, total, before, after } = select(devices, {
      conditions,
      highest,
      keyOf: this.#keyOf(devices, sort),
      descending,
      cursor: cursor && { device: cursor.device, key: this.#keyOfCursor(cursor) },
      backward,
      limit,
    })
    const textOf = (device: number) => this.#profiles.get(devices.profile(device))?.version ?? ''
    return {
      entries:
        sort === 'version'
          ? entries.map(({ device }) => ({ device, key: textOf(device) }))
          : entries,
      total,
      before,
      hasPrevious: before > 0,
      hasNext: after > 0,
    }
  }

  #keyOf(
    devices: DeviceColumns,
    sort: Exclude<DeviceListQuery['sort'], 'deviceId'>,
  ): (device: number) => number {
    switch (sort) {
      case 'lastSeen':
        return (device) => devices.lastSeen(device)
      case 'firstSeen':
        // Within one second, devices are ordered by number, mostly in order of arrival.
        return (device) => devices.firstSeen(device)
      case 'version': {
        const ranks = this.#profiles.ranks()
        return (device) => ranks[devices.profile(device)] ?? -1
      }
    }
  }

  #keyOfCursor({ key }: DeviceCursor): number {
    return typeof key === 'number' ? key : this.#profiles.rankOf(key)
  }

  #row(devices: DeviceColumns, { device, key }: DeviceCursor, query: DeviceListQuery): ListedRow[] {
    const stored = this.#source.stored(device)
    const profile = this.#profiles.get(devices.profile(device))
    if (stored === undefined || profile === undefined) return []
    // It may have been seen again since: the list is as of the moment when it was sorted.
    const lastSeen = query.sort === 'lastSeen' ? Number(key) : devices.lastSeen(device)
    return [{ device, ...stored, profile, lastSeen }]
  }
}

interface Census {
  /** Devices of the app, and how many of them match. */
  readonly known: number
  readonly versions: readonly string[]
  readonly platforms: readonly string[]
  readonly arches: readonly string[]
}

/** Counts versions and platforms of all devices of the app, regardless of the filters. */
function takeCensus(
  devices: DeviceColumns,
  highest: number,
  { profiles: accepted }: Conditions,
  profiles: KnownProfiles,
): Census {
  const byProfile = devices.countByProfile(highest, accepted.length)
  const counted: [NumberedProfile, number][] = []
  let known = 0
  for (const [id, count] of byProfile.entries()) {
    const profile = profiles.get(id)
    if (count === 0 || profile === undefined || accepted[id] === 0) continue
    known += count
    counted.push([profile, count])
  }
  return { known, ...choicesOf(counted) }
}
