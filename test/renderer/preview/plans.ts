import type { RunningServer } from '../../../src/server/compose/running-server.ts'
import { days } from '../../../src/server/fleet/time.ts'
import type { Principal } from '../../../src/server/use-cases/principal.ts'
import { Plan } from '../../../src/shared/plans/plan.ts'
import { presetPlan } from '../../../src/shared/plans/plan-presets.ts'
import { PublishBody } from '../../../src/shared/releases/release.ts'

const DAY = 86_400_000
const FAILED = { outcome: 'failed', detail: 'Installer exited with code 1603' }

/** A plan that waits for its conditions, one for a window, a suspended one, one to approve, and freezes. */
export async function recordPlans(
  { address, updates, consoleContext }: RunningServer,
  principal: Principal,
  turnBack: (milliseconds: number) => void,
): Promise<void> {
  const publish = async (app: string, channel: string, version: string, plan?: Plan) => {
    const url = `https://downloads.example/${version}/${app}.tar.gz`
    const artifact = { platform: 'linux', arch: 'x86_64', url, sha512: 'ab'.repeat(64) }
    const body = { app, channel, version, artifacts: [artifact], ...(plan && { plan }) }
    await updates.publishRelease(principal, PublishBody.parse(body))
    return { app, channel, version }
  }
  turnBack(days(1))
  await publish('editor', 'stable', '2.4.0', gated())
  await readGate(consoleContext)
  turnBack(0)
  await publish('viewer', 'stable', '1.0.0')
  await updates.setChannelPolicy(principal, {
    ...{ app: 'viewer', channel: 'stable' },
    change: { countNewDevices: true },
  })
  await checkIn(address, '0.9.0', '1.0.0')
  const steps = [50, 75, 100].map((rolloutPct) => ({ rolloutPct, soakHours: 24 }))
  await publish('viewer', 'stable', '1.1.0', Plan.parse({ steps }))
  await checkIn(address, '1.0.0', '1.1.0')
  const beta = { app: 'viewer', channel: 'beta' }
  await updates.createChannel(principal, { app: 'viewer', name: 'beta' })
  await updates.publishRelease(
    principal,
    PublishBody.parse({ ...beta, version: '2.0.0-beta.1', rolloutPct: 0 }),
  )
  await updates.setChannelPolicy(principal, { ...beta, change: { requireApproval: true } })
  await updates.proposeChange(
    { ...principal, person: 'somebody' },
    {
      ...{ ...beta, version: '2.0.0-beta.1', comment: 'Slowly, please' },
      change: { kind: 'plan', plan: presetPlan('cautious-week', 'Europe/Berlin') },
    },
  )
  const suspended = await publish('viewer', 'stable', '1.2.0', presetPlan('one-day', 'UTC'))
  await updates.changeServing(principal, { ...suspended, rolloutPct: 10 })
  const today = new Date().toISOString().slice(0, 10)
  const day = (later: number) =>
    new Date(Date.parse(today) + later * DAY).toISOString().slice(0, 10)
  await updates.setFreezes(principal, {
    app: 'viewer',
    freezes: [
      { firstDay: day(3), lastDay: day(5), timeZone: 'Europe/Berlin', name: 'Trade fair' },
      { firstDay: day(30), lastDay: day(44), timeZone: 'Europe/Berlin', name: 'Holidays' },
    ],
  })
}

/** Twelve devices check for a release: eight adopt it, and apps on two report that it fails. */
async function checkIn(address: string, from: string, to: string): Promise<void> {
  const aggregates = [
    { exited: 1_180, errored: 12, crashed: 4, abnormal: 1 },
    ...Array.from({ length: 9 }, (_, device) => ({ did: String(device), exited: 1 })),
  ]
  const items = [{}, { type: 'sessions' }, { aggregates, attrs: { release: `viewer@${to}` } }]
  const body = items.map((item) => JSON.stringify(item)).join('\n')
  await fetch(`${address}/sentry/viewer/api/1/envelope/`, { method: 'POST', body })
  for (let device = 0; device < 12; device++) {
    const headers = { 'x-service-device': `viewer-${device}` }
    const check = (version: string) =>
      fetch(`${address}/u/viewer/stable/linux/x86_64/${version}`, { headers })
    await check(from)
    if (device < 8) await check(to)
    else if (device < 10) {
      await fetch(`${address}/u/viewer/stable/outcome`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ version: to, ...FAILED }),
      })
    }
  }
}

/** What the gate of the only running plan found. */
async function readGate({ catalog }: RunningServer['consoleContext']): Promise<void> {
  const [plan] = await catalog.store.plans(['running'])
  if (plan === undefined) throw new Error('a plan runs')
  const at = catalog.timestamp()
  await catalog.store.recordReadings(plan, [
    { check: 'prometheus', at, value: null, sessions: null, problem: 'no_data', status: null },
    { check: 'crashFree', at, value: 99.21, sessions: 1_204, problem: null, status: null },
  ])
}

function gated(): Plan {
  const server = 'https://prometheus.example.com'
  const gate = {
    ...{ minAdoptedPct: 50, maxFailedPct: 3, minSample: 10 },
    prometheus: { server, query: 'sum(app_errors)', max: 0.02 },
    crashFree: { minPct: 99 },
  }
  return Plan.parse({
    steps: [
      { rolloutPct: 5, soakHours: 12, gate },
      { rolloutPct: 25, soakHours: 24 },
      { rolloutPct: 100, soakHours: 24 },
    ],
  })
}
