import { OTHER } from '../../../../../shared/devices/counting.ts'
import {
  compareVersions,
  type ParsedVersion,
  parseVersion,
} from '../../../../rules/decision/version.ts'
import type { NumberedProfile } from '../../../shared/batch.ts'
import { hasProfile } from '../../../shared/listed-profiles.ts'
import type { DeviceListQuery } from './query.ts'

/** The profiles as the reader thread knows them, and the order of their versions. */
export class KnownProfiles {
  readonly #byId: (NumberedProfile | undefined)[] = [undefined]
  #versions: ParsedVersion[] = []
  #ranks = new Int32Array(1)
  #ranked = true

  /** The highest known number. */
  get highest(): number {
    return this.#byId.length - 1
  }

  get(id: number): NumberedProfile | undefined {
    return this.#byId[id]
  }

  /** Adds the profiles that were stored since. */
  add(profiles: readonly NumberedProfile[]): void {
    for (const profile of profiles) this.#byId[profile.id] = profile
    if (profiles.length > 0) this.#ranked = false
  }

  /** By number: 2 for a profile whose devices are listed, 1 for another of the app, 0 for none of it. */
  accepted(query: DeviceListQuery): Uint8Array {
    const [ofApp, listed] = [new Set(query.appChannels), new Set(query.channels)]
    const accepted = new Uint8Array(this.#byId.length)
    for (const [id, profile] of this.#byId.entries()) {
      if (profile === undefined || !ofApp.has(profile.channelKey)) continue
      const isListed = listed.has(profile.channelKey) && hasProfile(profile, query)
      accepted[id] = isListed ? 2 : 1
    }
    return accepted
  }

  /** By number: the rank of the profile's version among all versions. The lowest is 0; other is below. */
  ranks(): Int32Array {
    if (!this.#ranked) this.#rank()
    return this.#ranks
  }

  /** The rank of a version; between two ranks if no profile has it. */
  rankOf(text: string): number {
    if (text === OTHER) return -1
    const version = parseVersion(text)
    const versions = this.#ranked ? this.#versions : this.#rank()
    let [low, high] = [0, versions.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const other = versions[middle]
      if (other !== undefined && compareVersions(other, version) < 0) low = middle + 1
      else high = middle
    }
    return versions[low]?.text === version.text ? low : low - 0.5
  }

  #rank(): ParsedVersion[] {
    const texts = new Set(this.#byId.flatMap((profile) => profile?.version ?? []))
    texts.delete(OTHER)
    this.#versions = [...texts].map(parseVersion).sort(compareVersions)
    const rankByText = new Map(this.#versions.map(({ text }, rank) => [text, rank]))
    this.#ranks = Int32Array.from(this.#byId, (profile) =>
      profile === undefined ? -1 : (rankByText.get(profile.version) ?? -1),
    )
    this.#ranked = true
    return this.#versions
  }
}
