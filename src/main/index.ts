import { app, dialog } from 'electron'
import { type Desktop, startDesktop } from './desktop.ts'
import { declareAppScheme } from './page/app-protocol.ts'
import { locateUserData, type UserData } from './settings/user-data.ts'
import { startErrorText, text } from './strings.ts'
import { surviveBrokenOutput } from './system/output.ts'

/** Passed by the installer: asks the running app to quit and does not start another. */
const QUIT = '--quit'

let desktop: Desktop | undefined

surviveBrokenOutput()
try {
  start(locateUserData())
} catch (error) {
  giveUp(error)
}

function start(userData: UserData): void {
  if (!app.requestSingleInstanceLock()) {
    // The running app gets `second-instance`: it shows its window, or quits.
    app.quit()
    return
  }
  if (process.argv.includes(QUIT)) {
    app.exit(0)
    return
  }
  app.enableSandbox()
  setAppId()
  declareAppScheme()
  followLife()
  app.on('ready', () => {
    try {
      desktop = startDesktop(userData)
    } catch (error) {
      giveUp(error)
    }
  })
}

function followLife(): void {
  app.on('second-instance', (_event, argv) => {
    if (argv.includes(QUIT)) app.quit()
    else desktop?.show()
  })
  app.on('activate', () => desktop?.show())
  app.on('before-quit', () => desktop?.prepareToQuit())
  // With the window the app goes, unless the preferences keep it in the tray, or it is a Mac.
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  app.on('will-quit', (event) => {
    if (desktop === undefined) return
    event.preventDefault()
    desktop.stop().finally(() => app.exit(0))
  })
}

/**
 * Sets the ID that Windows uses to show notifications and to group windows on the taskbar: the one that
 * the installer gave to the Start menu entry, `appId` of the packaging.
 */
function setAppId(): void {
  if (process.platform !== 'win32') return
  // In development there is no such entry; Electron's documentation recommends the program's path.
  app.setAppUserModelId(app.isPackaged ? import.meta.env.APP_ID : process.execPath)
}

/**
 * Shows why the app cannot start, and exits. Electron itself would keep running without a window, and its
 * lock would prevent any other start.
 */
function giveUp(error: unknown): void {
  dialog.showErrorBox(text.dialogs.cannotStart, startErrorText(error))
  app.exit(1)
}
