import { setTimeout as delay } from 'node:timers/promises'
import type { DeviceName } from '../fleet/facts.ts'
import { storageEngine } from '../storage/open-storage.ts'
import { forgetDevice } from '../updates/forget-device.ts'
import { type DataOptions, dataFolderOf } from './data-folder.ts'
import { Failure } from './errors.ts'
import { print } from './output.ts'
import { commandLinePrincipal, withFleet } from './session.ts'
import { text } from './strings/device.ts'

/** Milliseconds to wait for a running server to forget the device; it usually takes less than a second. */
const PATIENCE = 10_000
const INTERVAL = 50

/** Forgets a device through the server that runs on the folder, or directly if none does. */
export async function forget(named: string, deviceId: string, options: DataOptions): Promise<void> {
  const { ref } = await withFleet(options, (catalog, fleet) => {
    const parts = {
      catalog,
      findDevice: (appKey: number, id: string) => fleet.device(appKey, id),
      carryOutErasure: (name: DeviceName) => carryOut(dataFolderOf(options), name),
    }
    return forgetDevice(parts, commandLinePrincipal(), { app: named, deviceId })
  })
  print(text.device.forgotten(deviceId, ref))
}

async function carryOut(dataFolder: string, name: DeviceName): Promise<void> {
  const engine = storageEngine({ dataFolder })
  const deadline = performance.now() + PATIENCE
  // A server may stop or start in the meantime.
  while (!engine.erase(name)) {
    await delay(INTERVAL)
    if (!engine.isErasurePending(name)) return
    if (performance.now() < deadline) continue
    throw new Failure(text.device.notForgottenYet)
  }
}
