import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { RunningServer } from '../../../src/server/compose/running-server.ts'
import { createServer } from '../../../src/server/server.ts'
import { FULL_ACCESS } from '../../../src/server/use-cases/access.ts'
import type { Plan } from '../../../src/shared/plans/plan.ts'
import { PublishBody } from '../../../src/shared/releases/release.ts'
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
 * Makes a folder for the console, of a server that has stopped the plan of a release on several channels: 1.1.0. The studio reports with a key that the release fails on devices, and the server finds that for an hour of its clock.
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
    const key = await server.updates.mintKey(ADA, {
      name: 'fleet',
      scopes: ['fleet'],
      app: EDITOR.ref,
    })
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
      await checkIn(server.address, key.secret, channel)
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

/** Devices that are offered the release run it then, or it fails. What becomes of them is reported with a key. */
async function checkIn(address: string, key: string, channel: string): Promise<void> {
  const outcome = { version: '1.1.0', outcome: 'failed', detail: 'No space left' }
  const devices: object[] = []
  for (let number = 0; number < DEVICES; number++) {
    const deviceId = `${channel}-${number}`
    if ((await check(address, '1.0.0', deviceId, { channel })) === null) continue
    devices.push(
      number % 3 > 0 ? { deviceId, version: '1.1.0' } : { deviceId, version: '1.0.0', outcome },
    )
  }
  const response = await fetch(`${address}/api/v1/fleet/report`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ app: EDITOR.ref, devices }),
  })
  if (!response.ok) throw new Error(await response.text())
}
