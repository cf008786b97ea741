import { app } from 'electron'

/**
 * Tells Windows which program this is. It shows notifications, and groups windows on the taskbar, by
 * the id that the installer gave to the entry of the Start menu: `appId` of the packaging.
 */
export function setAppId(): void {
  if (process.platform !== 'win32') return
  // One that is being developed has no such entry; Electron's documentation names the program then.
  app.setAppUserModelId(app.isPackaged ? import.meta.env.APP_ID : process.execPath)
}
