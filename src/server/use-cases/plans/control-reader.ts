import type { Catalog } from '../../catalog/catalog.ts'
import type { CatalogChannel } from '../../catalog/snapshot.ts'
import type { CountedRelease } from '../../fleet/health/facts.ts'
import type { FleetReads, FleetRecorder } from '../../fleet/store.ts'
import { hourOf } from '../../fleet/time.ts'
import { type Arms, type Control, controlIn } from '../../rules/judging/control.ts'
import { type GoneLook, lookAtAge } from '../../rules/judging/gone.ts'
import { keepLatest } from '../../runtime/keep-latest.ts'
import type { ArmsPlan } from './arms-tally.ts'

/** Milliseconds for which what was counted is used, at least: a million devices take some seconds of a thread. */
const FRESH = 10 * 60_000
/** The longest part of the time that is spent on counting. */
const PART = 1 / 50
/** Most releases whose control is remembered. */
const MOST_REMEMBERED = 100

export interface ControlParts {
  readonly catalog: Catalog
  readonly fleet: Pick<FleetReads, 'scan' | 'busyHours'> & Pick<FleetRecorder, 'settled'>
  /** Counts on a thread of its own. */
  readonly countArms: (plan: ArmsPlan) => Promise<Arms>
}

/** What is seen of the devices that are not offered a release, beside which it is judged. */
export interface Beside {
  readonly control: Control
  /** What is judged at the first count of some hours, and not again: see `lookAtAge`. */
  readonly look: GoneLook | null
}

interface Counted extends Beside {
  readonly offeredPct: number
  /** Devices fall silent by the hour: those of the release and of the control are counted in the same one. */
  readonly hour: number
  readonly until: number
}

/** Counts the devices that are not offered a release, beside which it is judged. */
export class ControlReader {
  readonly #parts: ControlParts
  readonly #counted = new Map<string, Counted>()
  #counting: Promise<unknown> = Promise.resolve()

  constructor(parts: ControlParts) {
    this.#parts = parts
  }

  /** Returns what is seen beside a release lately; null if nothing is to be explained. Rejects with `StorageError` and thread errors. */
  async besideOf(channel: CatalogChannel, own: CountedRelease): Promise<Beside | null> {
    const release = channel.compiled.releases.find(({ facts }) => facts.id === own.id)?.facts
    if (release === undefined) return null
    const offeredPct = release.openPct ?? release.rolloutPct
    const { silent, reverted } = own.health
    const now = this.#parts.catalog.now()
    const hour = hourOf(now)
    const number = lookAtAge(hour - hourOf(own.offeredAt))
    if (offeredPct >= 100 || (silent + reverted === 0 && number === null)) return null
    const known = this.#counted.get(own.id)
    const isOfNow = known?.hour === hour && known.offeredPct === offeredPct
    if (known !== undefined && isOfNow && now < known.until) return known
    const began = performance.now()
    const arms = await this.arms(channel, own)
    const until = now + Math.max(FRESH, (performance.now() - began) / PART)
    const look = known?.hour === hour ? known.look : number === null ? null : { number, arms }
    const counted = { control: controlIn(arms), look, offeredPct, hour, until }
    keepLatest(this.#counted, own.id, counted, MOST_REMEMBERED)
    return counted
  }

  /** Returns the control of a release as it was last counted on this server; null if it was not within the last hour or two. */
  lastOf(releaseId: string): Control | null {
    const known = this.#counted.get(releaseId)
    const isOld = known === undefined || hourOf(this.#parts.catalog.now()) - known.hour > 1
    return isOld ? null : known.control
  }

  /** Counts all devices of a release now, one release after the other. Rejects as `besideOf`. */
  async arms(
    { record, compiled }: CatalogChannel,
    { id, offeredAt }: Pick<CountedRelease, 'id' | 'offeredAt'>,
  ): Promise<Arms> {
    const { catalog, fleet, countArms } = this.#parts
    const before = this.#counting
    const count = async (): Promise<Arms> => {
      await before.catch(() => {})
      // What is scanned is committed.
      await fleet.settled()
      const now = catalog.now()
      const scan = await fleet.scan({ channelKey: record.key, releaseId: id })
      const busy = await fleet.busyHours(hourOf(now))
      const releases = compiled.releases.map(({ facts }) => ({ ...facts, notes: '' }))
      const { policy } = record
      return await countArms({ policy, releases, releaseId: id, offeredAt, now, busy, scan })
    }
    const counting = count()
    this.#counting = counting
    return await counting
  }
}
