import { afterAll, beforeAll } from 'vitest'
import { type ConsoleOptions, openConsole, type ReleaseConsole } from './console.ts'

/** The console that the tests of a file share: opened before the first of them, and closed after the last. */
export function openForAll(options: ConsoleOptions = {}): ReleaseConsole {
  const opened: Partial<ReleaseConsole> = {}
  beforeAll(async () => {
    Object.defineProperties(opened, Object.getOwnPropertyDescriptors(await openConsole(options)))
  })
  afterAll(() => opened.close?.())
  return opened as ReleaseConsole
}
