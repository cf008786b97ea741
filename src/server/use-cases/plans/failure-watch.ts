import { z } from 'zod'
import { parsedJson } from '../../../shared/basics/parsed-json.ts'
import { failedOf, ReleaseHealth } from '../../../shared/health/health.ts'
import { StopReason } from '../../../shared/health/judgement.ts'
import { USUAL_LIMITS } from '../../../shared/plans/plan.ts'
import { type CatalogChannel, liveReleases } from '../../catalog/snapshot.ts'
import { LEAST_FAILED } from '../../rules/judging/judge.ts'
import { judgeWeighed } from '../../rules/judging/judge-weighed.ts'
import { ScheduledJob } from '../../runtime/async/scheduled-job.ts'
import type { Job, LeaderFacts } from '../../runtime/cluster/leadership.ts'
import { type EvidenceParts, evidenceOf } from './release-evidence.ts'

/** Milliseconds between two looks, from the end of one to the start of the next. */
const LOOK_EVERY = 5 * 60_000
/** Milliseconds after its first offer for which a release is watched: 30 days. Devices are put away at any time. */
const WATCHED = 30 * 24 * 60 * 60_000

/** A release that would be stopped if it had a plan. */
const FailingRelease = z.object({
  releaseId: z.string(),
  reasons: z.array(StopReason),
  health: ReleaseHealth,
})
export type FailingRelease = z.infer<typeof FailingRelease>

/** What the last look found. */
const Found = z.object({ failing: z.array(FailingRelease) })
type Found = z.infer<typeof Found>

export interface FailureWatchParts extends EvidenceParts {
  /** Where all servers find what the leader of the plans has found. */
  readonly facts: LeaderFacts
  /** Hears of every look that failed. */
  readonly onFailure: (error: unknown) => void
}

/** Judges live releases that no running plan stops, so that people hear of failures. The one that leads the plans looks. */
export class FailureWatch {
  /** Looks now and then. */
  readonly job: Job
  readonly #parts: FailureWatchParts

  constructor(parts: FailureWatchParts) {
    this.#parts = parts
    this.job = new ScheduledJob((ended) => this.look(ended), {
      ...{ first: LOOK_EVERY, every: LOOK_EVERY, onFailure: parts.onFailure },
    })
  }

  /** Returns those that the last look found, on whatever server. Rejects with `StorageError`. */
  async failing(): Promise<readonly FailingRelease[]> {
    return (await this.#found()).failing
  }

  /** Looks at all live releases once, unless it `ended` before. Throws what reading the counters and writing the result throw. */
  async look(ended?: AbortSignal): Promise<void> {
    const { catalog } = this.#parts
    const planned = new Set((await catalog.store.plans(['running'])).map((plan) => plan.releaseId))
    const failing: FailingRelease[] = []
    for (const channel of catalog.snapshot.channelByKey.values()) {
      if (channel.app.archivedAt !== null) continue
      for (const { facts } of liveReleases(channel.compiled.published)) {
        if (ended?.aborted) return
        if (planned.has(facts.id) || !facts.offered) continue
        const found = await this.#judge(channel, facts.id)
        if (found !== null) failing.push(found)
      }
    }
    await this.#parts.facts.write('plans', JSON.stringify({ failing } satisfies Found))
  }

  async #found(): Promise<Found> {
    const told = await this.#parts.facts.read('plans')
    const { data } = Found.safeParse(parsedJson(told ?? ''))
    // Without: nothing yet, or by another version.
    return data ?? { failing: [] }
  }

  async #judge(channel: CatalogChannel, releaseId: string): Promise<FailingRelease | null> {
    const { catalog, fleet } = this.#parts
    const now = catalog.now()
    const counted = await fleet.releaseHealth(releaseId, now)
    if (counted === null || now - counted.offeredAt > WATCHED) return null
    if (failedOf(counted.health) < LEAST_FAILED) return null
    const accused = { channel, releaseId, accepted: null, limits: USUAL_LIMITS }
    const evidence = await evidenceOf(this.#parts, accused)
    if (evidence === null) return null
    const { judgement, observed } = judgeWeighed(evidence)
    if (judgement.verdict !== 'stop') return null
    return { releaseId, reasons: [...judgement.reasons], health: observed.health }
  }
}
