import { OTHER } from '../../../../shared/devices/counting.ts'
import type { OfferedRelease } from '../../../fleet/facts.ts'
import { compareVersions, parseVersion } from '../../../rules/decision/version.ts'
import type { NumberedRelease } from '../batch.ts'

/** The releases that devices were offered, by id and by number. Numbers start at 1 and are never reused. */
export class OfferedReleases {
  readonly #byId = new Map<string, NumberedRelease>()
  readonly #byNumber: (NumberedRelease | undefined)[] = [undefined]
  #fresh: NumberedRelease[] = []

  /** Adds a stored release. */
  load(release: NumberedRelease): void {
    this.#byId.set(release.id, release)
    this.#byNumber[release.number] = release
  }

  /** Never assigns numbers up to `number` (again). */
  reserve(number: number): void {
    if (this.#byNumber.length <= number) this.#byNumber.length = number + 1
  }

  get(number: number): NumberedRelease | undefined {
    return this.#byNumber[number]
  }

  /** The number of a release; 0 if no device was offered it. */
  find(id: string): number {
    return this.#byId.get(id)?.number ?? 0
  }

  /** Returns the number of a release that is offered now. `at`: Unix ms. */
  number({ id, channelKey, version }: OfferedRelease, at: number): number {
    const known = this.#byId.get(id)
    if (known !== undefined) return known.number
    const release = { number: this.#byNumber.length, id, channelKey, version, offeredAt: at }
    this.load(release)
    this.#fresh.push(release)
    return release.number
  }

  /** Removes the releases of a channel that was removed. */
  drop(channelKey: number): void {
    for (const release of this.#byId.values()) {
      if (release.channelKey !== channelKey) continue
      this.#byId.delete(release.id)
      this.#byNumber[release.number] = undefined
    }
    this.#fresh = this.#fresh.filter((release) => release.channelKey !== channelKey)
  }

  /** Returns the releases that are not stored yet. */
  takeFresh(): readonly NumberedRelease[] {
    const fresh = this.#fresh
    this.#fresh = []
    return fresh
  }
}

/** Returns whether a version is that of the release or above; undefined for one that is counted as other. */
export function isOn(version: string, release: NumberedRelease): boolean | undefined {
  if (version === OTHER) return undefined
  return compareVersions(parseVersion(version), parseVersion(release.version)) >= 0
}
