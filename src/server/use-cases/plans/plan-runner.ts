import type { ReleaseHealth } from '../../../shared/health/health.ts'
import type { HoldoutResult } from '../../../shared/health/judgement.ts'
import { heldBackNow } from '../../../shared/plans/plan-steps.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { Refusal } from '../../catalog/errors.ts'
import { advancePlan, progressOf, suspendRefused } from '../../catalog/plans/advance-plan.ts'
import type { PlanOfRelease } from '../../catalog/plans/plan-record.ts'
import type { ReleaseRecord } from '../../catalog/records.ts'
import type { CatalogChannel } from '../../catalog/snapshot.ts'
import type { TransactOptions } from '../../catalog/store.ts'
import { nextStep } from '../../rules/plans/next-step.ts'
import { ScheduledJob } from '../../runtime/async/scheduled-job.ts'
import type { Job } from '../../runtime/cluster/leadership.ts'

/** Of the time between two looks, how much passes until the first: steps may be due since another server led. */
const FIRST_LOOK = 1 / 30

/** A running plan, and what its gates look at. */
export interface RunningPlan {
  readonly channel: CatalogChannel
  readonly release: ReleaseRecord
  readonly plan: PlanOfRelease
  readonly health: ReleaseHealth
}

/** What a look at the release of a plan found: `suspected` becomes `stopped` if looks keep finding it. */
export type PlanVerdict = 'fine' | 'suspected' | 'stopped'

export interface PlanRunnerParts {
  readonly catalog: Catalog
  /** Milliseconds between two looks at the most. */
  readonly lookEvery: number
  /** Returns what the gates of a plan look at. */
  readonly healthOf: (releaseId: string) => Promise<ReleaseHealth>
  /** Stops a plan whose release fails. Asked ahead of every step; nothing is applied unless it is `fine`. */
  readonly judge: (running: RunningPlan) => Promise<PlanVerdict>
  /** Compares the devices that a plan holds back with the others, before they are released. */
  readonly holdoutOf: (running: RunningPlan) => Promise<HoldoutResult | null>
  /** Judges a release before a step is applied, as `requirePreflight` does. Undefined where the channel does not require it. */
  readonly preflight: (
    running: RunningPlan,
    step: number,
    ended?: AbortSignal,
  ) => Promise<unknown> | undefined
  /** Of its transactions. */
  readonly writes?: TransactOptions | undefined
  /** Hears of every look and every plan that failed. */
  readonly onFailure: (error: unknown) => void
}

/**
 * Applies the steps of plans when they are due, by the clock of the catalog: looks soon after the start, every minute, and
 * when the next step is due. Plans are taken one after the other, and neither a failure nor the preflight of one keeps the others
 * waiting.
 */
export class PlanRunner implements Job {
  readonly #parts: PlanRunnerParts
  readonly #job: ScheduledJob
  /** Steps that are applied once their preflight has passed, by the ID of their release. */
  readonly #preflights = new Map<string, Promise<void>>()
  #due = 0
  #failed = false

  constructor(parts: PlanRunnerParts) {
    this.#parts = parts
    const { catalog, lookEvery } = parts
    const look = async (ended: AbortSignal) => {
      this.#due = await this.look(ended)
    }
    this.#job = new ScheduledJob(look, {
      first: Math.max(1, lookEvery * FIRST_LOOK),
      every: () => Math.min(lookEvery, Math.max(1, this.#due - catalog.now())),
      retryAfter: lookEvery,
      onFailure: (error) => this.#fail(error),
    })
  }

  /** Whether a plan could not be read or advanced by the last look. A plan that waits has not failed. */
  get failed(): boolean {
    return this.#failed
  }

  start(): void {
    this.#job.start()
  }

  /** Waits for the step that is being applied; what is due after it is left to the next start. */
  async stop(): Promise<void> {
    await this.#job.stop()
    await Promise.all(this.#preflights.values())
    // From now on another server knows.
    this.#failed = false
  }

  /** Looks at every running plan once, until it `ended`. Returns when the next step is due, Unix time in milliseconds. */
  async look(ended?: AbortSignal): Promise<number> {
    const { catalog, onFailure } = this.#parts
    const plans = await catalog.store.plans(['running'])
    if (plans.length > 0) await catalog.refresh()
    let due = Number.POSITIVE_INFINITY
    let failed = false
    for (const plan of plans) {
      if (ended?.aborted) break
      try {
        due = Math.min(due, await this.#advance(plan, ended))
      } catch (error) {
        if (ended?.aborted) break
        failed = true
        onFailure(error)
      }
    }
    // What is tried again has failed until it ends.
    this.#failed = failed || (this.#failed && this.#preflights.size > 0)
    return due
  }

  /** Returns when the plan is due again. */
  async #advance(plan: PlanOfRelease, ended: AbortSignal | undefined): Promise<number> {
    const { catalog, healthOf, judge } = this.#parts
    const channel = catalog.snapshot.channelByKey.get(plan.channelKey)
    const release = channel?.compiled.releases.find(({ facts }) => facts.id === plan.releaseId)
    // An archived app is served nothing; its plans go on when it is restored.
    if (channel === undefined || release === undefined || channel.app.archivedAt !== null) {
      return Number.POSITIVE_INFINITY
    }
    const health = await healthOf(plan.releaseId)
    const running = { channel, release: release.facts, plan, health }
    const isPending = this.#preflights.has(plan.releaseId)
    if ((await judge(running)) !== 'fine' || isPending) return Number.POSITIVE_INFINITY
    const progress = progressOf(plan, release.facts)
    const now = catalog.now()
    const isAhead = progress.soakSince !== null && progress.soakSince > now
    const next = nextStep(plan.plan, progress, health, channel.app.freezes, now)
    if (next.kind === 'wait' && !isAhead) {
      if (plan.suspectedSince !== null) await this.#apply(running, null)
      return next.until ?? Number.POSITIVE_INFINITY
    }
    const step = next.kind === 'apply' ? next.step : null
    const preflight = step === null ? undefined : this.#parts.preflight(running, step, ended)
    if (preflight === undefined) await this.#apply(running, step)
    else this.#applyAfter(preflight, running, step, ended)
    return preflight === undefined ? now : Number.POSITIVE_INFINITY
  }

  /** `step`: the one that is due; null for what else is. */
  async #apply(running: RunningPlan, step: number | null): Promise<void> {
    const { catalog, holdoutOf, writes } = this.#parts
    const { channel, plan, health } = running
    const releases = step !== null && heldBackNow(plan) !== undefined
    const holdout = releases ? await holdoutOf(running) : null
    await this.#carryOut(running, () =>
      advancePlan(catalog, channel, plan, { health, holdout }, writes),
    )
  }

  /** Applies a step if its preflight passes. That may take minutes, after which the release is judged again. */
  #applyAfter(
    preflight: Promise<unknown>,
    before: RunningPlan,
    step: number | null,
    ended: AbortSignal | undefined,
  ): void {
    const { healthOf, judge } = this.#parts
    const { releaseId } = before.plan
    const applied = async () => {
      try {
        if (!(await this.#carryOut(before, () => preflight))) return
        const running = { ...before, health: await healthOf(releaseId) }
        if ((await judge(running)) === 'fine') await this.#apply(running, step)
      } catch (error) {
        if (!ended?.aborted) this.#fail(error)
      } finally {
        this.#preflights.delete(releaseId)
      }
    }
    this.#preflights.set(releaseId, applied())
  }

  /** Returns false if the work was refused, and suspends the plan then. */
  async #carryOut({ channel, plan }: RunningPlan, work: () => Promise<unknown>): Promise<boolean> {
    const { catalog, writes } = this.#parts
    try {
      await work()
      return true
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // What has gone since it was read is left alone, and what has changed to the next look.
      if (error.kind !== 'unknown' && error.facts.code !== 'changed_meanwhile') {
        await suspendRefused(catalog, channel, plan, error.facts, writes)
      }
      return false
    }
  }

  #fail(error: unknown): void {
    this.#failed = true
    this.#parts.onFailure(error)
  }
}
