/** Returns what goes into `electron-builder.yml`. `feed` is the address of a channel's feed for electron-updater. */
export function builderConfiguration(feed: string): string {
  return `publish:
  provider: generic
  url: ${feed}
`
}

/** Returns code for the main process of an app with electron-updater. */
export function electronUpdaterSnippet(feed: string): string {
  return `import { app } from 'electron'
import updater from 'electron-updater'

const FEED = '${feed}'

export async function checkForUpdate() {
  const { autoUpdater } = updater
  const about = new URLSearchParams({ version: app.getVersion(), arch: process.arch })
  autoUpdater.setFeedURL(\`\${FEED}?\${about}\`)
  // After a rollback, Tidegate offers a lower version.
  autoUpdater.allowDowngrade = true
  await autoUpdater.checkForUpdatesAndNotify()
}
`
}

/** Returns code for the main process of an app with Electron's own updater. `feed` is that of a channel for Squirrel. */
export function autoUpdaterSnippet(feed: string): string {
  return `import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { app, autoUpdater } from 'electron'

const FEED = '${feed}'

// A random ID, created once and kept, so that the device stays in every rollout that it is in.
function deviceId() {
  const file = join(app.getPath('userData'), 'update-device')
  if (!existsSync(file)) writeFileSync(file, randomUUID())
  return readFileSync(file, 'utf8')
}

export function checkForUpdate() {
  const version = encodeURIComponent(app.getVersion())
  const url = \`\${FEED}/\${process.platform}/\${process.arch}/\${version}?device=\${deviceId()}\`
  autoUpdater.setFeedURL({ url })
  autoUpdater.checkForUpdates()
}
`
}
