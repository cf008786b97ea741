import { stopPlan } from '../../../src/server/catalog/plans/stop-plan.ts'
import type { RunningServer } from '../../../src/server/compose/running-server.ts'
import { NO_HEALTH } from '../../../src/shared/health/health.ts'
import type { StopReason } from '../../../src/shared/health/judgement.ts'

const REASONS: readonly StopReason[] = [
  {
    ...{ code: 'too_many_failures', failed: 45, judged: 402, stuck: 31 },
    ...{ failedPct: 8.1, highPct: 17.3, limitPct: 7.1, usualPct: 4.1 },
    control: { failed: 9, judged: 820, lowPct: 0.4, highPct: 2.6 },
    previous: { failed: 16, judged: 391, lowPct: 2.05, highPct: 7.4 },
  },
]

/** Stops the running plans of an app, as if their releases had failed. */
export async function stopPlans(
  { consoleContext: { catalog } }: RunningServer,
  app: string,
): Promise<void> {
  await catalog.refresh()
  for (const plan of await catalog.store.plans(['running'])) {
    const channel = catalog.snapshot.channelByKey.get(plan.channelKey)
    if (channel?.app.ref !== app) continue
    const release = channel.compiled.releases.find(({ facts }) => facts.id === plan.releaseId)
    if (release === undefined) throw new Error('a plan has a release')
    const judged = { channel, release: release.facts, plan }
    await stopPlan(catalog, judged, { reasons: REASONS, health: NO_HEALTH, action: 'pause' })
  }
}
