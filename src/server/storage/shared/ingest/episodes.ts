import type { CheckIn } from '../../../fleet/check-in.ts'
import { deviceCell } from '../../../fleet/health/cells.ts'
import {
  ADOPTED,
  advance,
  type Episode,
  NO_EPISODE,
  NONE,
  offeredAgain,
  oneMoreOffer,
  type Sighting,
  WAITING,
} from '../../../fleet/health/episode.ts'
import {
  intervalOf,
  offersOf,
  packProgress,
  phaseOf,
} from '../../../fleet/health/packed-episode.ts'
import { FIRST_INTERVAL, nextInterval } from '../../../fleet/health/usual-interval.ts'
import type { NumberedRelease } from '../batch.ts'
import type { DeviceTable } from '../memory/device-table.ts'
import { isOn, type OfferedReleases } from '../memory/offered-releases.ts'
import type { KnownProfile } from '../memory/profile-tree.ts'
import type { Profiles } from '../memory/profiles.ts'
import { EpisodeCounts, type HealthCounters } from './episode-counts.ts'

/** Returns whether a version of a channel was rolled back. */
export type IsRolledBack = (channelKey: number, version: string) => boolean

/** What is known of the devices that check in. */
export interface EpisodeMemory {
  readonly table: DeviceTable
  readonly releases: OfferedReleases
  readonly profiles: Pick<Profiles, 'get'>
}

/** Follows each device from its offer to its adoption or failure, and counts that by release. */
export class Episodes {
  readonly #memory: EpisodeMemory
  readonly #counts: EpisodeCounts
  readonly #isRolledBack: IsRolledBack

  constructor(memory: EpisodeMemory, counters: HealthCounters, isRolledBack: IsRolledBack) {
    this.#memory = memory
    this.#counts = new EpisodeCounts(memory.table, memory.releases, counters)
    this.#isRolledBack = isRolledBack
  }

  /** The first check-in of a device, which is in memory. */
  came(device: number, sent: CheckIn): void {
    const { at, offered, reason } = sent
    if (sent.caller === undefined) this.#counts.vouch(device)
    if (offered === undefined || reason !== 'update') return
    const number = this.#memory.releases.number(offered, at)
    const { after } = advance(NO_EPISODE, { ...unmoved(at), offered: number })
    // No interval yet: the first one is not stored.
    this.#set(device, after, packProgress(after.phase, after.offers, 0))
    this.#counts.weigh(device, after, sent)
    this.#counts.move(device, after, FIRST_INTERVAL, at, 1)
  }

  /** A check-in of a known device, before the memory has it. */
  seen(device: number, running: KnownProfile, sent: CheckIn): void {
    const { table, releases } = this.#memory
    const { at, offered, reason } = sent
    const isOffered = offered !== undefined && reason === 'update'
    const release = table.release(device)
    if (sent.caller === undefined && sent.source === 'report') this.#counts.vouch(device)
    if (release === 0 && !isOffered) {
      table.learnGap(device, at)
      return
    }
    const before = table.progress(device)
    const lastSeen = table.lastSeen(device)
    const oldInterval = intervalOf(before)
    const interval = nextInterval(oldInterval, Math.floor((at - lastSeen) / 1_000))
    if (!isOffered && !this.#concerns(device, running, sent)) {
      if (interval === oldInterval) return
      const progress = packProgress(phaseOf(before), offersOf(before), interval)
      table.setEpisode(device, release, progress)
      return
    }
    const number = isOffered ? releases.number(offered, at) : 0
    if (number === release && this.#onlyOfferedAgain(device, running, sent, interval)) return
    const episode = this.#episode(device)
    const sighting = this.#sighting(device, episode, running, sent, number)
    const transition = advance(episode, sighting)
    const { after } = transition
    this.#counts.move(device, episode, oldInterval, lastSeen, -1)
    this.#counts.happened(device, episode, transition, sent)
    if (after.release !== release || after.phase !== episode.phase) {
      this.#counts.weigh(device, after, sent)
    }
    this.#counts.move(device, after, interval, at, 1)
    this.#set(device, after, packProgress(after.phase, after.offers, interval))
  }

  /**
   * Counts one more offer of the release to a device on the same version, if it counts as before by what is counted of
   * the release, as with most check-ins. Returns whether it does.
   */
  #onlyOfferedAgain(
    device: number,
    { profile }: KnownProfile,
    { at, outcome, profile: { version } }: CheckIn,
    interval: number,
  ): boolean {
    const { table } = this.#memory
    if (outcome !== undefined || table.profile(device) !== profile.id) return false
    const before = table.progress(device)
    const phase = phaseOf(before)
    const offers = oneMoreOffer(offersOf(before))
    const age = Math.floor(at / 1_000) - table.offeredAt(device)
    if (profile.version !== version || offeredAgain(phase, offers, age) !== phase) return false
    const cell = deviceCell(phase, intervalOf(before), table.lastSeen(device))
    if (deviceCell(phase, interval, at) !== cell) return false
    const progress = packProgress(phase, offers, interval)
    if (progress !== before) table.setEpisode(device, table.release(device), progress)
    return true
  }

  /** Most check-ins are of devices that are done with their release, and tell nothing new about it. */
  #concerns(
    device: number,
    { profile }: KnownProfile,
    { reason, outcome, profile: { version } }: CheckIn,
  ): boolean {
    const { table } = this.#memory
    if (phaseOf(table.progress(device)) === WAITING) return true
    if (reason === 'rollback' || outcome !== undefined) return true
    return table.profile(device) !== profile.id || profile.version !== version
  }

  /** A check-in of a known device that leaves no row in the log: only its time and profile count. */
  seenUnlogged(device: number, running: KnownProfile | undefined, at: number): void {
    const { table, releases } = this.#memory
    const release = table.release(device)
    if (release === 0) return
    const channelKey = releases.get(release)?.channelKey
    const moves = running !== undefined && running.profile.channelKey !== channelKey
    const episode = this.#episode(device)
    const interval = intervalOf(table.progress(device))
    this.#counts.move(device, episode, interval, table.lastSeen(device), -1)
    if (moves) table.setEpisode(device, 0, packProgress(NONE, 0, interval))
    else this.#counts.move(device, episode, interval, at, 1)
  }

  /** A device is about to be removed. */
  left(device: number): void {
    const { table } = this.#memory
    if (table.release(device) === 0) return
    const interval = intervalOf(table.progress(device))
    this.#counts.move(device, this.#episode(device), interval, table.lastSeen(device), -1)
  }

  #episode(device: number): Episode {
    const { table } = this.#memory
    const progress = table.progress(device)
    const [phase, offers] = [phaseOf(progress), offersOf(progress)]
    return { release: table.release(device), phase, offers, offeredAt: table.offeredAt(device) }
  }

  #sighting(
    device: number,
    { release, phase }: Episode,
    running: KnownProfile,
    { at, reason, profile, outcome }: CheckIn,
    offered: number,
  ): Sighting {
    const known = this.#memory.releases.get(release)
    const isSentBack = reason === 'rollback'
    if (known === undefined) return { ...unmoved(at), offered, isSentBack }
    const moved = this.#moved(device, known, running, profile.version)
    const mayBeRolledBack =
      offered !== release &&
      ((phase === WAITING && reason !== null) || (phase === ADOPTED && moved === 'fell'))
    const isRolledBack = mayBeRolledBack && this.#isRolledBack(known.channelKey, known.version)
    const seconds = Math.floor(at / 1_000)
    return { at: seconds, moved, offered, isSentBack, isRolledBack, outcome: outcome ?? null }
  }

  /** Compares versions only if the profile changed, or was counted as other. */
  #moved(
    device: number,
    release: NumberedRelease,
    running: KnownProfile,
    version: string,
  ): Sighting['moved'] {
    const { table, profiles } = this.#memory
    if (running.profile.channelKey !== release.channelKey) return 'elsewhere'
    const oldProfile = table.profile(device)
    const isUnchanged = oldProfile === running.profile.id && running.profile.version === version
    if (isUnchanged) return null
    const isNowOn = isOn(version, release)
    if (isNowOn === undefined) return null
    if (isNowOn) return 'on'
    const old = profiles.get(oldProfile)
    return old === undefined || isOn(old.version, release) !== false ? 'fell' : null
  }

  #set(device: number, { release, offeredAt }: Episode, progress: number): void {
    const { table } = this.#memory
    table.setEpisode(device, release, progress)
    table.setOfferedAt(device, offeredAt)
  }
}

function unmoved(at: number): Sighting {
  const seconds = Math.floor(at / 1_000)
  const nothing = { moved: null, offered: 0, isSentBack: false, isRolledBack: false } as const
  return { at: seconds, ...nothing, outcome: null }
}
