import type { FailureAction } from '../../../shared/plans/plan.ts'
import { stopPlan, suspectPlan } from '../../catalog/plans/stop-plan.ts'
import type { TransactOptions } from '../../catalog/store.ts'
import { judgeWeighed } from '../../rules/judging/judge-weighed.ts'
import type { PlanVerdict, RunningPlan } from './plan-runner.ts'
import { type EvidenceParts, evidenceOf } from './release-evidence.ts'

export interface StoppedPlan {
  readonly app: string
  readonly channel: string
  readonly version: string
  readonly action: FailureAction
}

/** Most plans that are remembered as stopped. */
const MOST_REMEMBERED = 20

/** Judges running plans by their releases, and stops those that fail (docs/automatic-stop.md). */
export class PlanJudge {
  readonly #parts: EvidenceParts
  readonly #writes: TransactOptions
  #stopped: readonly StoppedPlan[] = []

  /** `writes`: of its transactions. */
  constructor(parts: EvidenceParts, writes: TransactOptions = {}) {
    this.#parts = parts
    this.#writes = writes
  }

  /** The plans that this process stopped, the last one at the end. */
  get stopped(): readonly StoppedPlan[] {
    return this.#stopped
  }

  /** Judges a running plan's release, and stops the plan if it fails too often. Throws as reading counters and changing the catalog. */
  async judge({ channel, release, plan }: RunningPlan): Promise<PlanVerdict> {
    const { catalog } = this.#parts
    const { id, version } = release
    const judged = { channel, release, plan }
    const { accepted, plan: limits } = plan
    const evidence = await evidenceOf(this.#parts, { channel, releaseId: id, accepted, limits })
    if (evidence === null) return 'fine'
    const { judgement, observed, mayRollBack } = judgeWeighed(evidence)
    if (judgement.verdict === 'fine' || judgement.verdict === 'not_enough') return 'fine'
    if (judgement.verdict === 'suspected') {
      await suspectPlan(catalog, judged, this.#writes)
      return 'suspected'
    }
    const action: FailureAction =
      limits.onFailure === 'rollback' && mayRollBack ? 'rollback' : 'pause'
    const stop = { reasons: judgement.reasons, health: observed.health, action }
    const isStopped = await stopPlan(catalog, judged, stop, this.#writes)
    if (isStopped) {
      const place = { app: channel.app.ref, channel: channel.record.name, version }
      this.#stopped = [...this.#stopped, { ...place, action }].slice(-MOST_REMEMBERED)
    }
    return isStopped ? 'stopped' : 'suspected'
  }
}
