import { countArms } from '../../../src/server/compose/turn-threads.ts'
import type { CountedRelease } from '../../../src/server/fleet/health/facts.ts'
import { ControlReader } from '../../../src/server/use-cases/plans/control-reader.ts'
import { holdoutResult } from '../../../src/server/use-cases/plans/holdout-result.ts'
import { PlanJudge } from '../../../src/server/use-cases/plans/plan-judge.ts'
import {
  PlanRunner,
  type PlanRunnerParts,
  type PlanVerdict,
  type RunningPlan,
} from '../../../src/server/use-cases/plans/plan-runner.ts'
import { countedOfReleases } from '../../../src/server/use-cases/plans/release-evidence.ts'
import { NO_HEALTH, type ReleaseHealth } from '../../../src/shared/health/health.ts'
import type { Plan } from '../../../src/shared/plans/plan.ts'
import { PRINCIPAL } from '../builders/actor.ts'
import { keyedTallies } from '../builders/plans.ts'
import { HOUR } from '../builders/time.ts'
import { publish, setPolicy, shown } from './calls.ts'
import { startWithApp, type TestServer } from './server.ts'

export const PLACE = { app: 'editor', channel: 'stable' }
export const RELEASE = { ...PLACE, version: '1.0.0' }

/** A Friday. */
export const START = Date.parse('2026-11-20T10:00:00.000Z')

/** Knows of no devices that are not offered a release. */
export const NO_CONTROLS = { besideOf: async () => null }

/** Milliseconds of the longest timer. */
const NEVER = 2 ** 31 - 1

/** A server whose clock is moved, and what advances its plans when it is told to. */
export async function startPlanned(folder?: string) {
  const time = { now: START }
  const server = await startWithApp(
    // What the server does by itself is left to the test.
    {
      ...{ plans: { lookEvery: NEVER }, proving: { lookEvery: NEVER } },
      ...(folder === undefined ? {} : { dataFolder: folder }),
    },
    undefined,
    { clock: () => time.now },
  )
  return { server, time, ...runnerOf(server) }
}

/** What advances the plans of a server, judged by `seen`. */
export function runnerOf(
  server: TestServer,
  preflight: PlanRunnerParts['preflight'] = () => undefined,
) {
  const seen: {
    health: ReleaseHealth
    failures: unknown[]
    judged: RunningPlan[]
    verdict: PlanVerdict
  } = {
    ...{ health: NO_HEALTH, failures: [], judged: [], verdict: 'fine' },
  }
  const runner = new PlanRunner({
    catalog: server.catalog,
    lookEvery: 60_000,
    healthOf: async () => seen.health,
    holdoutOf: async () => null,
    preflight,
    judge: async (running) => {
      seen.judged.push(running)
      return seen.verdict
    },
    onFailure: (error) => seen.failures.push(error),
  })
  return { seen, runner }
}

/** What judges and advances plans on a server whose devices are what the test says. */
export function judgeOn(server: TestServer, seen: { health: ReleaseHealth }) {
  const counted = async (releaseId: string): Promise<CountedRelease> => ({
    ...{ id: releaseId, channelKey: 1, version: '1.0.0', offeredAt: 0, adoption: null },
    ...{ movedOn: 0, recovered: 0, slow: 0, late: 0, health: seen.health },
    tallies: keyedTallies(seen.health),
  })
  const fleet = {
    channelHealth: async () => [],
    releaseHealth: counted,
    adoption: async () => [],
    activeDevices: async () => [],
  }
  const failures: unknown[] = []
  const judge = new PlanJudge({ catalog: server.catalog, fleet, controls: NO_CONTROLS })
  const runner = new PlanRunner({
    ...{ catalog: server.catalog, lookEvery: 60_000 },
    healthOf: async () => seen.health,
    judge: (running) => judge.judge(running),
    holdoutOf: async () => null,
    preflight: () => undefined,
    onFailure: (error) => failures.push(error),
  })
  return { judge, runner, failures }
}

/** Puts devices with these rings into every rollout of `editor/stable` above 0%. */
export async function admitRings(server: TestServer, ...rings: readonly string[]) {
  const targets = [{ matchLabels: { ring: [...rings] }, matchExpressions: [] }]
  await setPolicy(server, { earlyAccess: { deviceIds: [], targets } })
}

/** Publishes 1.0.0 with a plan. */
export function publishPlanned(
  server: TestServer,
  plan: Plan,
  members: Readonly<Record<string, unknown>> = {},
) {
  return publish(server, '1.0.0', { plan, ...members })
}

/** The plan of 1.0.0 with the rollout of the release. */
export async function standing({ updates, ...server }: TestServer) {
  const { plan } = await updates.getPlan(PRINCIPAL, RELEASE)
  const { rolloutPct, targets } = await shown({ updates, ...server }, '1.0.0')
  return { ...plan, rolloutPct, rings: targets.matchLabels.ring }
}

/** What the server does every minute, done now: judges releases by what is counted, and advances their plans. */
export function judgingRunner({ catalog, fleet }: TestServer) {
  const countedOf = countedOfReleases({ catalog, fleet })
  const controls = new ControlReader({ catalog, fleet, countArms })
  const judge = new PlanJudge({ catalog, fleet, controls })
  const failures: unknown[] = []
  const runner = new PlanRunner({
    ...{ catalog, lookEvery: 60_000, judge: (running) => judge.judge(running) },
    healthOf: async (releaseId) => (await countedOf(releaseId)).gated,
    holdoutOf: (running) => holdoutResult({ catalog, fleet, controls }, running),
    preflight: () => undefined,
    onFailure: (error) => failures.push(error),
  })
  return { runner, controls, failures }
}

/** Judges and advances the plan of 2.0.0 now, after an hour, and after six more, in which its step soaks. */
export async function passTime(
  server: TestServer,
  time: { now: number },
): Promise<string | undefined> {
  const { runner, failures } = judgingRunner(server)
  for (const hours of [1, 6]) {
    await runner.look()
    time.now += hours * HOUR
  }
  await runner.look()
  if (failures.length > 0) throw failures[0]
  const { plan } = await server.updates.getPlan(PRINCIPAL, { ...PLACE, version: '2.0.0' })
  return plan?.status
}
