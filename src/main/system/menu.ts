import { app, Menu, type MenuItemConstructorOptions } from 'electron'
import type { MenuCommand } from '../../shared/console/shell.ts'
import { text } from '../strings.ts'

const words = text.menu

/** Sets the application's menu. `command`: what an item asks of the page. */
export function setMenu(command: (command: MenuCommand) => void): void {
  const go = (
    label: string,
    to: MenuCommand,
    accelerator?: string,
  ): MenuItemConstructorOptions => ({
    label,
    ...(accelerator === undefined ? {} : { accelerator }),
    click: () => command(to),
  })
  const isMac = process.platform === 'darwin'
  const template: MenuItemConstructorOptions[] = [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    {
      label: words.file,
      submenu: [
        go(words.publish, 'publish', 'CmdOrCtrl+N'),
        go(words.settings, 'settings', 'CmdOrCtrl+,'),
        { type: 'separator' },
        isMac ? { role: 'close' } : { role: 'close', label: words.close },
        ...(isMac ? [] : [{ role: 'quit', accelerator: 'CmdOrCtrl+Q' } as const]),
      ],
    },
    { role: 'editMenu' },
    {
      label: words.go,
      submenu: [
        go(words.palette, 'palette', 'CmdOrCtrl+K'),
        { type: 'separator' },
        go(words.overview, 'overview', 'CmdOrCtrl+1'),
        go(words.fleet, 'fleet', 'CmdOrCtrl+2'),
        go(words.releases, 'releases', 'CmdOrCtrl+3'),
        go(words.approvals, 'approvals', 'CmdOrCtrl+4'),
        go(words.devices, 'devices', 'CmdOrCtrl+5'),
        go(words.apps, 'apps', 'CmdOrCtrl+6'),
        go(words.keys, 'keys', 'CmdOrCtrl+7'),
        go(words.people, 'people', 'CmdOrCtrl+8'),
        go(words.webhooks, 'webhooks'),
        go(words.audit, 'audit', 'CmdOrCtrl+9'),
      ],
    },
    { label: words.view, submenu: viewItems() },
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
