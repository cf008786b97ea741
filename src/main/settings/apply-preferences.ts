import { app, nativeTheme } from 'electron'
import type { Preferences } from '../../shared/console/shell.ts'
import { setAutostart } from '../system/autostart.ts'

/** Started at login: the server runs, and the window waits until it is asked for. */
const HIDDEN = '--hidden'

/** Makes the preferences hold: the theme, and the start at login. */
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

/** Whether the system started the app at login, and nobody asked for its window. */
export function startedAtLogin(): boolean {
  if (process.argv.includes(HIDDEN)) return true
  // macOS passes no arguments, but tells.
  return process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin
}
