import { setTimeout as delay } from 'node:timers/promises'
import { requireApp } from '../catalog/catalog.ts'
import { requestErasure } from '../catalog/erasure.ts'
import { Refusal } from '../catalog/errors.ts'
import type { DeviceName } from '../fleet/facts.ts'
import { lockDataFolder } from '../storage/data-folder/lock.ts'
import { eraseStored, isErasurePending } from '../storage/fleet/erasure.ts'
import { dataFile } from '../storage/sqlite/database.ts'
import { StorageError } from '../storage/sqlite/errors.ts'
import { type DataOptions, dataFolderOf } from './data-folder.ts'
import { Failure } from './errors.ts'
import { print } from './output.ts'
import { commandLineActor, withFleet } from './session.ts'

/** Milliseconds to wait for a running server to forget the device; it usually takes less than a second. */
const PATIENCE = 10_000
const INTERVAL = 50

/** Forgets a device through the server that runs on the folder, or directly if none does. */
export async function forget(named: string, deviceId: string, options: DataOptions): Promise<void> {
  const [name, ref] = await withFleet(options, async (catalog, fleet) => {
    const app = requireApp(catalog.snapshot, named).record
    if ((await fleet.device(app.key, deviceId)) === undefined) {
      throw new Refusal('unknown', `unknown device "${deviceId}" of app "${app.ref}"`)
    }
    await requestErasure(catalog, commandLineActor(), app, deviceId)
    return [{ appKey: app.key, deviceId }, app.ref] as const
  })
  await carryOut(dataFolderOf(options), name)
  print(`Forgot the device ${deviceId} of ${ref}.`)
}

async function carryOut(folder: string, name: DeviceName): Promise<void> {
  const file = dataFile(folder)
  const deadline = performance.now() + PATIENCE
  // A server may stop or start in the meantime.
  while (!eraseAlone(folder, file, name)) {
    await delay(INTERVAL)
    if (!isErasurePending(file, name)) return
    if (performance.now() < deadline) continue
    throw new Failure(
      'the running server has not deleted the device yet; it will do so once it can write to its database, check its log',
    )
  }
}

/** Returns false if a server or another command holds the folder. */
function eraseAlone(folder: string, file: string, name: DeviceName): boolean {
  try {
    const lock = lockDataFolder(folder)
    try {
      eraseStored(file, name)
      return true
    } finally {
      lock.release()
    }
  } catch (error) {
    if (error instanceof StorageError && error.code === 'locked') return false
    throw error
  }
}
