import type { ReleaseHealth } from '../../shared/health.ts'
import { whileLeading } from '../cluster/leadership.ts'
import type { Observed } from '../judging/counted.ts'
import type { StoredFleet } from '../storage/interface/storage.ts'
import { FailureWatch } from '../use-cases/plans/failure-watch.ts'
import { GateReader } from '../use-cases/plans/gate-reader.ts'
import { PlanJudge } from '../use-cases/plans/plan-judge.ts'
import { PlanRunner } from '../use-cases/plans/plan-runner.ts'
import { countedOfReleases } from '../use-cases/plans/release-evidence.ts'
import { VERSION } from '../version.ts'
import type { Wiring } from './running-server.ts'

interface Parts extends Pick<Wiring, 'config' | 'catalog' | 'storage' | 'closing' | 'failed'> {
  readonly fleet: StoredFleet
}

/** Plans that advance by themselves, and what they look at. */
export interface PlansPart {
  readonly runner: PlanRunner
  readonly judge: PlanJudge
  readonly watch: FailureWatch
  /** Returns what the gates of a plan look at. */
  readonly healthOf: (releaseId: string) => Promise<ReleaseHealth>
  readonly observedOf: (releaseId: string) => Promise<Observed>
}

/** Begins to apply the steps of plans and to stop those whose releases fail, for as long as this server leads. */
export function openPlans({ config, catalog, storage, closing, fleet, failed }: Parts): PlansPart {
  const countedOf = countedOfReleases({ catalog, fleet })
  const observedOf = async (releaseId: string) => (await countedOf(releaseId)).observed
  const healthOf = async (releaseId: string) => (await countedOf(releaseId)).gated
  // A server that stood still does not go on with what another one has led since.
  const writes = { leading: 'plans' } as const
  const judge = new PlanJudge({ catalog, fleet }, writes)
  const runner = new PlanRunner({
    ...{ catalog, healthOf, lookEvery: config.plans.lookEvery, writes },
    judge: (running) => judge.judge(running),
    onFailure: failed('could not advance a rollout plan'),
  })
  const watch = new FailureWatch({
    ...{ catalog, fleet, facts: storage.leaderFacts },
    onFailure: failed('could not judge releases'),
  })
  const gates = new GateReader({
    ...{ catalog, lookEvery: config.plans.lookEvery, writes },
    asking: { servers: config.plans.gateServers, userAgent: `Tidegate/${VERSION}` },
    onFailure: failed('could not read what a gate asks for'),
  })
  closing.add(whileLeading(storage.leadership('plans'), [runner, watch, gates]))
  return { runner, judge, watch, healthOf, observedOf }
}
