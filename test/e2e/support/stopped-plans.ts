import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { RunningServer } from '../../../src/server/running-server.ts'
import { createServer } from '../../../src/server/server.ts'
import { FULL_ACCESS } from '../../../src/server/updates/access.ts'
import type { Plan } from '../../../src/shared/plan.ts'
import { PublishBody } from '../../../src/shared/release.ts'
import { rolloutPlan } from '../../support/builders/plans.ts'
import { HOUR } from '../../support/builders/time.ts'
import { databaseOf } from '../../support/servers/engine.ts'
import { releaseBody } from './api.ts'
import { newUserData } from './console.ts'
import { check } from './device.ts'
import { EDITOR } from './steps.ts'

const ADA = {
  actor: { kind: 'console', name: 'Ada' },
  access: FULL_ACCESS,
  seesArchived: false,
} as const

/** Devices of each channel. On every third of them, the new release fails. */
const DEVICES = 60

/** The channels whose release the server stopped, and what it did with it. */
export const STOPPED = { one: 'pause', another: 'pause', withdrawn: 'rollback' } as const

/**
 * Makes a folder for the console, of a server that has stopped the plan of a release on several channels: 1.1.0. The devices report that the release fails, and the server finds that for an hour of its clock.
 */
export async function stoppedPlans(): Promise<string> {
  const userData = newUserData()
  const dataFolder = join(userData, 'data')
  mkdirSync(dataFolder)
  let now = Date.now() - 3 * HOUR
  const config = {
    ...{ dataFolder, database: await databaseOf(dataFolder), port: 0, limits: { device: 0 } },
    // By the clock of the past, not by that of this computer.
    plans: { lookEvery: 2 ** 31 - 1 },
  }
  const server = await createServer(config, undefined, { clock: () => now }).start()
  try {
    await server.updates.createApp(ADA, EDITOR)
    for (const [channel, onFailure] of Object.entries(STOPPED)) {
      await server.updates.createChannel(ADA, { app: EDITOR.ref, name: channel })
      await publish(server, channel, '1.0.0')
      await publish(
        server,
        channel,
        '1.1.0',
        rolloutPlan(
          [
            [50, 8],
            [100, 8],
          ],
          { onFailure },
        ),
      )
      await checkIn(server.address, channel)
    }
    await server.telemetry.settled()
    await server.plans.look()
    now += HOUR
    await server.plans.look()
  } finally {
    await server.stop()
  }
  return userData
}

async function publish({ updates }: RunningServer, channel: string, version: string, plan?: Plan) {
  const body = releaseBody(version, { channel, ...(plan && { plan }) })
  await updates.publishRelease(ADA, PublishBody.parse(body))
}

/** Devices that are offered the release run it at their next check, or report that it fails. */
async function checkIn(address: string, channel: string): Promise<void> {
  for (let number = 0; number < DEVICES; number++) {
    const device = `${channel}-${number}`
    if ((await check(address, '1.0.0', device, { channel })) === null) continue
    if (number % 3 > 0) await check(address, '1.1.0', device, { channel })
    else {
      await fetch(`${address}/u/${EDITOR.ref}/${channel}/outcome`, {
        method: 'POST',
        headers: { 'x-service-device': device, 'content-type': 'application/json' },
        body: JSON.stringify({ version: '1.1.0', outcome: 'failed', detail: 'No space left' }),
      })
    }
  }
}
