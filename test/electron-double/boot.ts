import { statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { app } from './app.ts'
import { dialog } from './dialog.ts'
import { readManifest } from './manifest.ts'
import { recorded } from './recorded.ts'

const [appPath = '.', ...appArguments] = process.argv.slice(2)
const folder = resolve(appPath)
const entry = statSync(folder).isDirectory() ? join(folder, readManifest(folder).main) : folder

const here = import.meta.dirname
// Simulates another platform for all code that reads the platform after this.
const { ELECTRON_DOUBLE_PLATFORM: platform } = process.env
if (platform !== undefined) Object.defineProperty(process, 'platform', { value: platform })
// As in Electron: the main process continues and shows the error.
process.on('uncaughtException', (error) => {
  if (process.listenerCount('uncaughtException') > 1) return
  const title = 'A JavaScript error occurred in the main process'
  dialog.showErrorBox(title, `Uncaught Exception:\n${error.stack ?? error.message}`)
})
Object.defineProperty(process.versions, 'electron', { value: 'double', enumerable: true })
Object.assign(process, {
  type: 'browser',
  resourcesPath: join(here, 'resources'),
  defaultApp: true,
})

// Playwright's loader removes its own arguments, up to this switch.
const loader = process.env.ELECTRON_DOUBLE_LOADER
const switches = loader === undefined ? [] : ['--remote-debugging-port=0']
process.argv.splice(0, process.argv.length, join(here, 'electron'), ...switches, appPath)
process.argv.push(...appArguments)
app.appPath = statSync(folder).isDirectory() ? folder : process.cwd()
if (loader !== undefined) createRequire(import.meta.url)(loader)
// Only the app's own matter, not the loader's.
recorded.switches.length = 0

await import(pathToFileURL(entry).href)
app.codeLoaded()
