import { app, Menu, type MenuItemConstructorOptions } from 'electron'
import { MENU_KEYS, type MenuCommand } from '../../shared/console/desktop/shell.ts'
import { text } from '../strings.ts'

const words = text.menu
const PLACES = [
  ...(['overview', 'fleet', 'releases', 'calendar', 'approvals', 'devices'] as const),
  ...(['apps', 'keys', 'people', 'webhooks', 'audit'] as const),
]

/** Sets the application's menu. `command`: what an item asks of the page. */
export function setMenu(command: (command: MenuCommand) => void): void {
  const go = (to: MenuCommand): MenuItemConstructorOptions => {
    const key = MENU_KEYS[to]
    return {
      label: words[to],
      ...(key === undefined ? {} : { accelerator: `CmdOrCtrl+${key}` }),
      click: () => command(to),
    }
  }
  const isMac = process.platform === 'darwin'
  const template: MenuItemConstructorOptions[] = [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    {
      label: words.file,
      submenu: [
        go('publish'),
        go('settings'),
        { type: 'separator' },
        isMac ? { role: 'close' } : { role: 'close', label: words.close },
        ...(isMac ? [] : [{ role: 'quit', accelerator: 'CmdOrCtrl+Q' } as const]),
      ],
    },
    { role: 'editMenu' },
    {
      label: words.go,
      submenu: [go('palette'), { type: 'separator' }, ...PLACES.map(go)],
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
