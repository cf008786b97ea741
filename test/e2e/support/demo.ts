import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readKind } from '../../../src/server/fleet/check-in.ts'
import { type Connection, dataFile, openDatabase } from '../../../src/server/storage/database.ts'
import type { DecisionReason } from '../../../src/shared/manifest.ts'
import { makeSmallDemo } from '../../support/demo-folder.ts'
import { newUserData, openConsole, type ReleaseConsole } from './console.ts'

/** The console on the demo's past, and its database to read. */
export interface DemoConsole extends ReleaseConsole {
  readonly database: Connection
}

/** A device as the database knows it. */
export interface KnownDevice {
  readonly app: string
  readonly id: string
  readonly version: string
}

/** Makes the demo's past and opens the console on it. `close` removes both. */
export async function openDemo(): Promise<DemoConsole> {
  const userData = newUserData()
  const dataFolder = join(userData, 'data')
  mkdirSync(dataFolder)
  await makeSmallDemo(dataFolder)
  const opened = await openConsole({ userData })
  const database = openDatabase(dataFile(dataFolder), { readonly: true })
  return {
    ...opened,
    database,
    async close() {
      database.close()
      await opened.close()
    },
  }
}

const LAST_TOLD = `SELECT ref AS app, device_id AS id, version, kind, max(check_ins.id)
  FROM check_ins JOIN devices ON devices.id = device JOIN apps ON apps.key = devices.app_key
    JOIN profiles ON profiles.id = profile
  GROUP BY device ORDER BY max(check_ins.id) DESC`

/** Of the devices that were last told `reason`, the one that asked last. */
export function lastTold(database: Connection, app: string, reason: DecisionReason): KnownDevice {
  const found = database
    .prepare<[], KnownDevice & { kind: number }>(LAST_TOLD)
    .all()
    .find((device) => device.app === app && readKind(device.kind).reason === reason)
  if (found === undefined) throw new Error(`no device of ${app} was last told ${reason}`)
  return found
}
