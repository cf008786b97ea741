import { onTestFinished } from 'vitest'
import { People } from '../../../src/server/people/people.ts'
import { attachStorage } from '../../../src/server/storage/open-storage.ts'
import { FAST_PASSWORDS } from '../builders/passwords.ts'
import { databaseOf } from './engine.ts'

/** The people of a server's data on connections of their own beside the server, until the test ends. */
export async function openPeopleElsewhere(folder: string): Promise<People> {
  const storage = await attachStorage({ dataFolder: folder, database: await databaseOf(folder) })
  const people = await People.open(storage.people, { ...FAST_PASSWORDS, appRef: () => undefined })
  onTestFinished(async () => {
    await people.stop()
    await storage.close()
  })
  return people
}
