import type { NumberedProfile } from '../batch.ts'
import type { FleetMemory } from '../memory/fleet-memory.ts'

/** The channels that accept no check-ins because they are being removed or were removed. */
export class ClosedChannels {
  readonly #memory: FleetMemory
  readonly #closing = new Set<number>()
  /** Requests that began earlier may still refer to them. */
  readonly #removed = new Set<number>()
  /** False until something is removed, so that check-ins usually cost nothing. */
  #began = false

  constructor(memory: FleetMemory) {
    this.#memory = memory
  }

  /** Closes channels that are about to be removed. */
  close(channelKeys: Iterable<number>): void {
    this.#began = true
    for (const channelKey of channelKeys) this.#closing.add(channelKey)
  }

  /** Opens channels again, except those that were removed. */
  open(channelKeys: Iterable<number>): void {
    for (const channelKey of channelKeys) this.#closing.delete(channelKey)
  }

  /** Marks channels as removed for good. */
  remove(channelKeys: Iterable<number>): void {
    for (const channelKey of channelKeys) this.#removed.add(channelKey)
  }

  /**
   * Returns whether a check-in must be ignored: of a removed channel, or of a device that is
   * about to be forgotten, on whatever channel.
   */
  refuses(channelKey: number, appKey: number, deviceId: string | null): boolean {
    if (!this.#began) return false
    if (this.#removed.has(channelKey)) return true
    if (this.#closing.size === 0) return false
    if (this.#closing.has(channelKey)) return true
    if (deviceId === null) return false
    const known = this.#memory.profileOf(appKey, deviceId)
    return known !== undefined && this.#closing.has(known.channelKey)
  }

  /** False as long as `refuses` refuses nothing. */
  get mayRefuse(): boolean {
    return this.#began
  }

  /** True while channels are being removed. */
  get areClosing(): boolean {
    return this.#closing.size > 0
  }

  /** Returns whether the channel is being removed or was. */
  has(channelKey: number): boolean {
    return this.#closing.has(channelKey) || this.#removed.has(channelKey)
  }

  /** A late request may have created a profile of a removed channel, which must not be stored. */
  withoutRemoved<Changes extends { readonly profiles: readonly NumberedProfile[] }>(
    changes: Changes,
  ): Changes {
    if (this.#removed.size === 0) return changes
    const profiles = changes.profiles.filter(({ channelKey }) => !this.#removed.has(channelKey))
    return { ...changes, profiles }
  }
}
