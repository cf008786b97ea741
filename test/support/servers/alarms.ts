import { lookAtAlarms } from '../../../src/server/outbound/outbox/alarms.ts'
import { attachStorage } from '../../../src/server/storage/open-storage.ts'
import { databaseOf } from './engine.ts'
import type { TestServer } from './server.ts'

/** Raises an alarm, and clears it again. */
export async function raiseAlarm({ folder }: TestServer, clock = Date.now): Promise<void> {
  const storage = await attachStorage({ dataFolder: folder, database: await databaseOf(folder) })
  for (const current of [['disk_low'], []] as const) {
    await lookAtAlarms({ store: storage.outbox, clock, current: () => current })
  }
  await storage.close()
}
