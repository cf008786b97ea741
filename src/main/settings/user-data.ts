import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { app } from 'electron'
import { locateDataFolder } from '../../shared/operation/data-folder.ts'
import { StartError } from './start-error.ts'

/** The folders and files of the desktop app and its server. */
export interface UserData {
  readonly settingsFile: string
  readonly windowFile: string
  readonly versionFile: string
  readonly serversFile: string
  readonly dataFolder: string
  readonly logFile: string
}

/**
 * Locates the files of the app, in `TIDEGATE_USER_DATA` if it is set. Must be called first, because the
 * single-instance lock is in that folder. Throws an Error for people if the folder cannot be used.
 */
export function locateUserData(): UserData {
  const override = process.env.TIDEGATE_USER_DATA
  if (override !== undefined && override !== '') setFolder(resolve(override))
  const folder = app.getPath('userData')
  const { platform, env } = process
  return {
    settingsFile: join(folder, 'settings.json'),
    windowFile: join(folder, 'window.json'),
    versionFile: join(folder, 'latest-version.json'),
    serversFile: join(folder, 'servers.json'),
    dataFolder: resolve(locateDataFolder({ platform, env, home: homedir() })),
    logFile: join(folder, 'logs', 'server.log'),
  }
}

/** Electron rejects a folder that does not exist. */
function setFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    app.setPath('userData', folder)
  } catch (error) {
    throw new StartError('folder_unusable', folder, error)
  }
}
