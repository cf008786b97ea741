import { app } from './app.ts'
import { BrowserWindow } from './browser-window.ts'
import { clipboard, powerMonitor, screen, shell } from './desktop.ts'
import { dialog } from './dialog.ts'
import { ipcMain } from './ipc-main.ts'
import { Menu, MenuItem } from './menu.ts'
import { MessageChannelMain } from './message-port.ts'
import { nativeImage } from './native-image.ts'
import { nativeTheme } from './native-theme.ts'
import { Notification } from './notification.ts'
import { killPages } from './page.ts'
import { net, protocol } from './protocol.ts'
import { recorded } from './recorded.ts'
import { safeStorage } from './safe-storage.ts'
import { session } from './session.ts'
import { standIn } from './stand-in.ts'
import { Tray } from './tray.ts'
import { utilityProcess } from './utility-process.ts'

/** Playwright uses it to find the window of a page. */
const webContents = standIn('webContents', {
  getAllWebContents: () => BrowserWindow.getAllWindows().map((window) => window.webContents),
  fromId: (id: number) => webContents.getAllWebContents().find((contents) => contents.id === id),
  fromDevToolsTargetId: (id: string) =>
    webContents.getAllWebContents().find((contents) => contents.targetId === id),
  getFocusedWebContents: () => BrowserWindow.getFocusedWindow()?.webContents ?? null,
})

recorded.killPages = killPages

export {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  ipcMain,
  Menu,
  MenuItem,
  MessageChannelMain,
  Notification,
  nativeImage,
  nativeTheme,
  net,
  powerMonitor,
  protocol,
  recorded,
  safeStorage,
  screen,
  session,
  shell,
  Tray,
  utilityProcess,
  webContents,
}
