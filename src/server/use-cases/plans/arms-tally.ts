import type { DeviceScan, ScannedDevice, ScannedState } from '../../fleet/facts.ts'
import { REVERTED } from '../../fleet/health/episode.ts'
import { silence } from '../../fleet/health/release-counts.ts'
import { silentFrom } from '../../fleet/health/usual-interval.ts'
import { isVouched, KEYED, networkOf, weightOf } from '../../fleet/health/weight.ts'
import { dayOf, hourOf } from '../../fleet/time.ts'
import { readsLabels } from '../../rules/decision/candidates.ts'
import type { CompiledChannel, ReleaseFacts } from '../../rules/decision/channel.ts'
import { inCohort } from '../../rules/decision/cohort.ts'
import { compileChannel } from '../../rules/decision/compile.ts'
import { type DeviceFacts, decide } from '../../rules/decision/decide.ts'
import { earlyAccessOf } from '../../rules/decision/early-access.ts'
import { type Arms, ArmsCounter, type TwoArms } from '../../rules/judging/control.ts'
import { isGone } from '../../rules/judging/gone.ts'
import { factsOf, type PreviewPlan } from '../releases/preview-tally.ts'

/** All that the arms of a release are counted from, as plain data. Times are Unix milliseconds. */
export interface ArmsPlan extends Pick<PreviewPlan, 'policy' | 'releases'> {
  readonly releaseId: string
  /** When the release was first offered to any device. */
  readonly offeredAt: number
  readonly now: number
  /** Hours with check-ins, see `silence`. */
  readonly busy: ReadonlySet<number>
  /** Of the channel, about the release. */
  readonly scan: DeviceScan
}

/** Counts what became of the devices that are offered a release, and of those that would be at 100%. */
export class ArmsTally {
  readonly #plan: ArmsPlan
  readonly #isSilent: (due: number) => boolean
  readonly #now: CompiledChannel
  readonly #atAll: CompiledChannel
  readonly #readsLabels: boolean
  readonly #rolloutPct: number
  readonly #counter = new ArmsCounter()

  constructor(plan: ArmsPlan) {
    this.#plan = plan
    const { policy, releases, releaseId } = plan
    const atAll = (facts: ReleaseFacts): ReleaseFacts => {
      return facts.id === releaseId ? { ...facts, rolloutPct: 100, openPct: null } : facts
    }
    this.#now = compileChannel(policy, releases)
    this.#atAll = compileChannel(policy, releases.map(atAll))
    this.#readsLabels = readsLabels(this.#now)
    this.#rolloutPct = releases.find(({ id }) => id === releaseId)?.rolloutPct ?? 0
    this.#isSilent = silence(hourOf(plan.now), plan.busy)
  }

  /** Looks at a device of the channel. */
  add(device: ScannedDevice): void {
    const { state, deviceId } = device
    const facts = this.#counts(state) ? factsOf(device, this.#readsLabels) : null
    // Nobody is on the list of early access by chance.
    if (facts === null || earlyAccessOf(this.#now.earlyAccess, facts) !== null) return
    if (state.isOffered) {
      // The others were checked by hand.
      if (!inCohort(this.#plan.releaseId, deviceId, this.#rolloutPct)) return
      this.#count('offered', state, state.phase === REVERTED)
    } else if (this.#isOffered(this.#atAll, facts) && !this.#isOffered(this.#now, facts)) {
      const { revertedAt } = state
      this.#count('control', state, revertedAt !== null && revertedAt >= this.#plan.offeredAt)
    }
  }

  result(): Arms {
    return this.#counter.arms()
  }

  /** As for the stops of plans: it was known before, and seen on another day, or a key vouches for it. */
  #counts({ firstSeen, lastSeen, evidence }: ScannedState): boolean {
    const { offeredAt, policy } = this.#plan
    if (lastSeen < offeredAt) return false
    if (policy.countNewDevices || isVouched(evidence)) return true
    return firstSeen < offeredAt && dayOf(lastSeen) > dayOf(firstSeen)
  }

  #isOffered(channel: CompiledChannel, facts: DeviceFacts): boolean {
    return decide(channel, facts).release?.facts.id === this.#plan.releaseId
  }

  #count(arm: keyof TwoArms, state: ScannedState, reverted: boolean): void {
    const { evidence, lastSeen, interval } = state
    const network = networkOf(evidence)
    const isKeyed = weightOf(evidence) === KEYED || (isVouched(evidence) && network === 0)
    this.#counter.count(isKeyed ? null : network, arm, {
      reverted,
      silent: this.#isSilent(silentFrom(lastSeen, interval)),
      gone: isGone(this.#plan.now - lastSeen, interval),
    })
  }
}
