import type { RunningServer } from '../../../src/server/compose/running-server.ts'
import { days } from '../../../src/server/fleet/time.ts'
import type { Principal } from '../../../src/server/use-cases/principal.ts'
import { Plan } from '../../../src/shared/plan.ts'
import { presetPlan } from '../../../src/shared/plan-presets.ts'
import { PublishBody } from '../../../src/shared/release.ts'

const DAY = 86_400_000
const FAILED = { outcome: 'failed', detail: 'Installer exited with code 1603' }

/** A plan that waits for its conditions, one for a window, a suspended one, one to approve, and freezes. */
export async function recordPlans(
  { address, updates }: RunningServer,
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
  turnBack(0)
  await publish('viewer', 'stable', '1.0.0')
  await publish('viewer', 'stable', '1.1.0', presetPlan('cautious-week', 'Europe/Berlin'))
  await checkIn(address)
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

/** Twelve devices are offered a release: eight adopt it, and apps on two report that it fails. */
async function checkIn(address: string): Promise<void> {
  for (let device = 0; device < 12; device++) {
    const headers = { 'x-service-device': `viewer-${device}` }
    const check = (version: string) =>
      fetch(`${address}/u/viewer/stable/linux/x86_64/${version}`, { headers })
    await check('0.9.0')
    if (device < 8) await check('1.0.0')
    else if (device < 10) {
      await fetch(`${address}/u/viewer/stable/outcome`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ version: '1.0.0', ...FAILED }),
      })
    }
  }
}

function gated(): Plan {
  return Plan.parse({
    steps: [
      { rolloutPct: 5, soakHours: 12, gate: { minAdoptedPct: 50, maxFailedPct: 3, minSample: 10 } },
      { rolloutPct: 25, soakHours: 24 },
      { rolloutPct: 100, soakHours: 24 },
    ],
  })
}
