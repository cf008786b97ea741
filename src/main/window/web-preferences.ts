import { join } from 'node:path'
import type { WebPreferences } from 'electron'

/**
 * Returns what the console's page may do: show itself and use the bridge. Electron's defaults that matter
 * are set explicitly, so that a later Electron cannot change them. A packaged app has no developer tools.
 */
export function webPreferences(isPackaged: boolean): WebPreferences {
  return {
    preload: join(import.meta.dirname, '../preload/preload.cjs'),
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInSubFrames: false,
    nodeIntegrationInWorker: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    devTools: !isPackaged,
    // On other systems it would need dictionaries from a third-party server.
    spellcheck: process.platform === 'darwin',
  }
}
