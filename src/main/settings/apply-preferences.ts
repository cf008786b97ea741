import { app, nativeTheme } from 'electron'
import type { Preferences } from '../../shared/console/desktop/shell.ts'
import { setAutostart } from '../system/autostart.ts'

/** Passed when the app starts at login: the server runs, and the window opens on request. */
const HIDDEN = '--hidden'

/** Applies the preferences to the system: the theme, and starting at login. Throws when that fails. */
export function applyPreferences({ theme, startAtLogin }: Preferences): void {
  nativeTheme.themeSource = theme
  // A copy that is being developed must not start at every login.
  if (!app.isPackaged) return
  if (process.platform === 'linux') {
    // An AppImage runs from a folder that is there only while it runs.
    const program = process.env.APPIMAGE ?? app.getPath('exe')
    const configFolder = app.getPath('appData')
    setAutostart({ configFolder, program, args: [HIDDEN] }, startAtLogin)
    return
  }
  if (app.getLoginItemSettings({ args: [HIDDEN] }).openAtLogin === startAtLogin) return
  app.setLoginItemSettings({ openAtLogin: startAtLogin, args: [HIDDEN] })
}

/** Returns whether the system started the app at login, so that its window stays closed. */
export function startedAtLogin(): boolean {
  if (process.argv.includes(HIDDEN)) return true
  // macOS passes no arguments, but has an API for it.
  return process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin
}
