import { app } from './app.ts'
import { BrowserWindow } from './browser-window.ts'
import { clipboard, dialog, Notification, powerMonitor, screen, shell, Tray } from './desktop.ts'
import { ipcMain } from './ipc-main.ts'
import { Menu, MenuItem } from './menu.ts'
import { nativeImage } from './native-image.ts'
import { nativeTheme } from './native-theme.ts'
import { net, protocol } from './protocol.ts'
import { recorded } from './recorded.ts'
import { session } from './session.ts'
import { standIn } from './stand-in.ts'
import { utilityProcess } from './utility-process.ts'

/** Playwright finds the window of a page by it. */
const webContents = standIn('webContents', {
  getAllWebContents: () => BrowserWindow.getAllWindows().map((window) => window.webContents),
  fromId: (id: number) => webContents.getAllWebContents().find((contents) => contents.id === id),
  fromDevToolsTargetId: (id: string) =>
    webContents.getAllWebContents().find((contents) => contents.targetId === id),
  getFocusedWebContents: () => BrowserWindow.getFocusedWindow()?.webContents ?? null,
})

export {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  ipcMain,
  Menu,
  MenuItem,
  Notification,
  nativeImage,
  nativeTheme,
  net,
  powerMonitor,
  protocol,
  recorded,
  screen,
  session,
  shell,
  Tray,
  utilityProcess,
  webContents,
}
