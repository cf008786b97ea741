/** Returns code for the main process of an Electron app. `base` is the address of update checks for a channel. */
export function electronSnippet(base: string): string {
  return `import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { app } from 'electron'
import updater from 'electron-updater'

const CHANNEL = '${base}'

// A random ID, created once and kept, so that the device stays in every rollout that it is in.
function deviceId() {
  const file = join(app.getPath('userData'), 'update-device')
  if (!existsSync(file)) writeFileSync(file, randomUUID())
  return readFileSync(file, 'utf8')
}

export async function checkForUpdate() {
  const version = encodeURIComponent(app.getVersion())
  const response = await fetch(\`\${CHANNEL}/\${process.platform}/\${process.arch}/\${version}\`, {
    headers: { 'X-Service-Device': deviceId() },
  })
  if (response.status !== 200) return
  const update = await response.json()
  // The folder of the installer also holds the latest*.yml files that electron-builder made with it.
  updater.autoUpdater.setFeedURL(new URL('.', update.url).href)
  updater.autoUpdater.allowDowngrade = update.allowDowngrade
  await updater.autoUpdater.checkForUpdates()
}
`
}
