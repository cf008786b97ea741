import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Connection,
  dataFile,
  openDatabase,
} from '../../../src/server/storage/sqlite/database.ts'
import { makeSmallDemo } from '../../support/builders/demo-folder.ts'
import { type ConsoleOptions, newUserData, openConsole, type ReleaseConsole } from './console.ts'

/** The console on the demo's past, and its database to read. */
export interface DemoConsole extends ReleaseConsole {
  readonly database: Connection
}

/** Makes the demo's past and opens the console on it. `close` removes both. */
export async function openDemo(
  options: Pick<ConsoleOptions, 'reducedMotion'> = {},
): Promise<DemoConsole> {
  const userData = newUserData()
  const dataFolder = join(userData, 'data')
  mkdirSync(dataFolder)
  await makeSmallDemo(dataFolder)
  const opened = await openConsole({ ...options, userData })
  const database = openDatabase(dataFile(dataFolder), { readonly: true })
  // A browser has no app to copy: reading it throws.
  return Object.create(opened, {
    database: { value: database },
    close: {
      async value() {
        database.close()
        await opened.close()
      },
    },
  })
}
