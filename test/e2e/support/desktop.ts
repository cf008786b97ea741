import type { Menu, Tray } from 'electron'
import type { ElectronApplication, JSHandle } from 'playwright'
import { serverProcesses } from './console.ts'

/** What the app shows on the desktop around its window, from the moment of watching on. */
export interface Shown {
  readonly tooltips: string[]
  readonly notifications: { readonly title: string; readonly body: string }[]
  tray: Tray | null
  menu: Menu | null
}

/** Watches the tray and the notifications, of which Electron keeps no list. They still happen. */
export function watchDesktop(app: ElectronApplication): Promise<JSHandle<Shown>> {
  return app.evaluateHandle((electron) => {
    const shown: Shown = { tooltips: [], notifications: [], tray: null, menu: null }
    const tray = electron.Tray.prototype
    const notification = electron.Notification.prototype
    const { setToolTip, setContextMenu } = tray
    const { show } = notification
    tray.setToolTip = function (text) {
      shown.tray = this
      shown.tooltips.push(text)
      setToolTip.call(this, text)
    }
    tray.setContextMenu = function (menu) {
      shown.menu = menu
      setContextMenu.call(this, menu)
    }
    notification.show = function () {
      shown.notifications.push({ title: this.title, body: this.body })
      show.call(this)
    }
    return shown
  })
}

/** Kills the server process, as a crash does. */
export async function killServer(app: ElectronApplication): Promise<void> {
  for (const pid of await serverProcesses(app)) process.kill(pid, 'SIGKILL')
}

/** Whether the one window of the app can be seen. */
export function isShown(app: ElectronApplication): Promise<boolean> {
  return app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows()
    return window?.isVisible() ?? false
  })
}

/** Resolves with the app's exit code once its process has ended. */
export function ended(app: ElectronApplication): Promise<number | null> {
  const process = app.process()
  if (process.exitCode !== null) return Promise.resolve(process.exitCode)
  return new Promise((resolve) => process.once('exit', resolve))
}
