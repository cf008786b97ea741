/**
 * Builds the console's page for browsers, unless it is built from the sources as they are: `node build/page.ts`.
 * The desktop app's build makes the same files.
 */
import { renameSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { isPageCurrent } from './page-stamp.ts'

const root = resolve(import.meta.dirname, '..')
const folder = resolve(root, 'out/renderer')

if (!isPageCurrent(root, folder)) {
  // Loaded only now: it takes longer than to see that there is nothing to do.
  const { build } = await import('vite').catch(() => {
    process.stderr.write('Vite is not installed; run "npm ci", then "npm run build:page"\n')
    process.exit(1)
  })
  const { pageConfig } = await import('./page-config.ts')
  // Put in place in one step, because a server may serve the folder or build it at the same time.
  const fresh = `${folder}-${process.pid}`
  try {
    await build({ ...pageConfig(root, fresh), configFile: false, logLevel: 'warn' })
    rmSync(folder, { recursive: true, force: true })
    renameSync(fresh, folder)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}
