import { app, Menu, type MenuItemConstructorOptions } from 'electron'
import type { MenuCommand } from '../../shared/console/shell.ts'

/** Sets the application's menu. `command`: what an item asks of the page. */
export function setMenu(command: (command: MenuCommand) => void): void {
  const go = (label: string, to: MenuCommand, accelerator: string): MenuItemConstructorOptions => ({
    label,
    accelerator,
    click: () => command(to),
  })
  const isMac = process.platform === 'darwin'
  const template: MenuItemConstructorOptions[] = [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    {
      label: '&File',
      submenu: [
        go('Publish a release…', 'publish', 'CmdOrCtrl+N'),
        go('Settings…', 'settings', 'CmdOrCtrl+,'),
        { type: 'separator' },
        isMac ? { role: 'close' } : { role: 'close', label: 'Close window' },
        ...(isMac ? [] : [{ role: 'quit', accelerator: 'CmdOrCtrl+Q' } as const]),
      ],
    },
    { role: 'editMenu' },
    {
      label: '&Go',
      submenu: [
        go('Overview', 'overview', 'CmdOrCtrl+1'),
        go('Fleet', 'fleet', 'CmdOrCtrl+2'),
        go('Releases', 'releases', 'CmdOrCtrl+3'),
        go('Devices', 'devices', 'CmdOrCtrl+4'),
        go('Apps and channels', 'apps', 'CmdOrCtrl+5'),
        go('API keys', 'keys', 'CmdOrCtrl+6'),
        go('Audit log', 'audit', 'CmdOrCtrl+7'),
      ],
    },
    { label: '&View', submenu: viewItems() },
    { role: 'windowMenu' },
  ]
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}

function viewItems(): MenuItemConstructorOptions[] {
  const developing: MenuItemConstructorOptions[] = [
    { role: 'toggleDevTools' },
    { type: 'separator' },
  ]
  return [
    { role: 'reload' },
    ...(app.isPackaged ? [] : developing),
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { type: 'separator' },
    { role: 'togglefullscreen' },
  ]
}
