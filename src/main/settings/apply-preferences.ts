import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { app, nativeTheme } from 'electron'
import type { Preferences } from '../../shared/console/desktop/shell.ts'

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

/** What a desktop on Linux starts at login: a file in the account's autostart folder. */
interface Autostart {
  /** The account's configuration folder, such as `~/.config`. */
  readonly configFolder: string
  readonly program: string
  readonly args: readonly string[]
}

/** Writes or removes the entry of the XDG autostart specification. Throws the error of the file system. */
export function setAutostart({ configFolder, program, args }: Autostart, wanted: boolean): void {
  const file = join(configFolder, 'autostart', 'tidegate.desktop')
  if (!wanted) {
    rmSync(file, { force: true })
    return
  }
  const command = [program, ...args].map(quote).join(' ')
  const lines = ['[Desktop Entry]', 'Type=Application', 'Name=Tidegate', `Exec=${command}`]
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${lines.join('\n')}\n`)
}

/** As the specification wants it: quoted for `Exec`, then escaped for a string of the file. */
function quote(argument: string): string {
  const quoted = `"${argument.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`
  return quoted.replaceAll('\\', '\\\\')
}
