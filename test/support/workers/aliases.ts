import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'

const SERVER = join(import.meta.dirname, '../../../src/server')

/** The alias of Vite for modules of the server: to bundled scripts, and to threads that are used again. */
export const SCRIPT_ALIASES = [
  'runtime/threads/worker-url.ts',
  'storage/sqlite/threads/start-thread.ts',
].map((module) => {
  // Without it, the alias would stand for nothing, and tests would take several times as long.
  if (!existsSync(join(SERVER, module))) throw new Error(`src/server/${module} does not exist`)
  const name = basename(module)
  return {
    find: new RegExp(`^(\\.\\.?/)+(runtime/)?(threads/)?${name.replace('.', '\\.')}$`),
    replacement: join(import.meta.dirname, name),
  }
})
