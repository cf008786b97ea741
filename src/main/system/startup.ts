import { app, dialog } from 'electron'
import { startErrorText, text } from '../strings.ts'

/**
 * Sets the ID that Windows uses to show notifications and to group windows on the taskbar: the one that
 * the installer gave to the Start menu entry, `appId` of the packaging.
 */
export function setAppId(): void {
  if (process.platform !== 'win32') return
  // In development there is no such entry; Electron's documentation recommends the program's path.
  app.setAppUserModelId(app.isPackaged ? import.meta.env.APP_ID : process.execPath)
}

/**
 * Shows why the app cannot start, and exits. Electron itself would keep running without a window, and its
 * lock would prevent any other start.
 */
export function giveUp(error: unknown): void {
  dialog.showErrorBox(text.dialogs.cannotStart, startErrorText(error))
  app.exit(1)
}
