import { failedOf, type ReleaseHealth } from '../../shared/health.ts'
import type { StopReason } from '../../shared/judgement.ts'
import { Plan } from '../../shared/plan.ts'
import { liveReleases } from '../catalog/live-releases.ts'
import type { CatalogChannel } from '../catalog/snapshot.ts'
import { isConfirmed, type SuspectedSince, suspectedSince } from '../judging/confirmation.ts'
import { judge, LEAST_FAILED } from '../judging/judge.ts'
import type { Job } from '../leadership.ts'
import { type EvidenceParts, evidenceOf } from './release-evidence.ts'

/** Milliseconds between two looks, from the end of one to the start of the next. */
const LOOK_EVERY = 5 * 60_000
/** Milliseconds after its first offer for which a release is watched: 30 days. Devices are put away at any time. */
const WATCHED = 30 * 24 * 60 * 60_000

/** The limits of a plan that sets none. */
const { maxFailedPct, minSample } = Plan.parse({ steps: [{ rolloutPct: 100, soakHours: 0 }] })

/** A release that would be stopped if it had a plan. */
export interface FailingRelease {
  readonly releaseId: string
  readonly reasons: readonly StopReason[]
  readonly health: ReleaseHealth
}

export interface FailureWatchParts extends EvidenceParts {
  /** Hears of every look that failed. */
  readonly onFailure: (error: unknown) => void
}

/**
 * Judges live releases that no running plan is responsible for, one after the other, so that people hear of failures
 * that the server does not stop.
 */
export class FailureWatch implements Job {
  readonly #parts: FailureWatchParts
  #suspected = new Map<string, SuspectedSince>()
  #failing: readonly FailingRelease[] = []
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(parts: FailureWatchParts) {
    this.#parts = parts
  }

  /** Those that the last look found. */
  get failing(): readonly FailingRelease[] {
    return this.#failing
  }

  start(): void {
    this.#isStopped = false
    const look = () => {
      this.#looking = this.look()
        .catch(this.#parts.onFailure)
        .finally(() => {
          if (!this.#isStopped) this.#timer = setTimeout(look, LOOK_EVERY).unref()
        })
    }
    this.#timer = setTimeout(look, LOOK_EVERY).unref()
  }

  /** Waits for the release that is being judged. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#looking
  }

  /** Looks at all live releases once. Throws what reading the counters throws. */
  async look(): Promise<void> {
    const { catalog } = this.#parts
    const planned = new Set((await catalog.store.plans(['running'])).map((plan) => plan.releaseId))
    const suspected = new Map<string, SuspectedSince>()
    const failing: FailingRelease[] = []
    for (const channel of catalog.snapshot.channelByKey.values()) {
      if (channel.app.archivedAt !== null) continue
      for (const { facts } of liveReleases(channel.compiled.published)) {
        if (this.#isStopped) return
        if (planned.has(facts.id) || !facts.offered) continue
        const found = await this.#judge(channel, facts.id, suspected)
        if (found !== null) failing.push(found)
      }
    }
    this.#suspected = suspected
    this.#failing = failing
  }

  async #judge(
    channel: CatalogChannel,
    releaseId: string,
    suspected: Map<string, SuspectedSince>,
  ): Promise<FailingRelease | null> {
    const { catalog, fleet } = this.#parts
    const now = catalog.now()
    const counted = await fleet.releaseHealth(releaseId, now)
    if (counted === null || now - counted.offeredAt > WATCHED) return null
    if (failedOf(counted.health) < LEAST_FAILED) return null
    const limits = { maxFailedPct, minSample }
    const accused = { channel, releaseId, accepted: null, limits }
    const evidence = await evidenceOf(this.#parts, accused)
    if (evidence === null) return null
    const judgement = judge(evidence)
    const since = suspectedSince(this.#suspected.get(releaseId) ?? null, judgement, now)
    suspected.set(releaseId, since)
    if (judgement.verdict !== 'stop' || !isConfirmed(since, now)) return null
    return { releaseId, reasons: judgement.reasons, health: evidence.observed.health }
  }
}
