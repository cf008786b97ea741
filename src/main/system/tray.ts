import { app, clipboard, Menu, nativeTheme, Tray } from 'electron'
import type { ServerState } from '../../shared/console/shell.ts'
import { stateWords, text } from '../strings.ts'
import { trayIcon } from './tray-icon.ts'

export interface TrayActions {
  openConsole(): void
  retryServer(): void
}

/** Creates the tray icon. Returns a function that shows a state of the server in it. */
export function createTray(actions: TrayActions): (state: ServerState) => void {
  const tray = new Tray(trayIcon())
  // On macOS a click opens the menu, which has an item for the console.
  if (process.platform !== 'darwin') tray.on('click', actions.openConsole)
  nativeTheme.on('updated', () => tray.setImage(trayIcon()))
  return (state) => {
    tray.setToolTip(text.tray.tooltip(stateWords(state)))
    tray.setContextMenu(menuOf(state, actions))
  }
}

function menuOf(state: ServerState, { openConsole, retryServer }: TrayActions): Menu {
  const address = state.state === 'running' ? state.address : undefined
  const waits = state.state === 'failed' || state.state === 'restarting'
  return Menu.buildFromTemplate([
    { label: stateWords(state), enabled: false },
    {
      label: text.tray.copyAddress,
      enabled: address !== undefined,
      click: () => void copy(address ?? ''),
    },
    { label: text.tray.startServer, visible: waits, click: retryServer },
    { type: 'separator' },
    { label: text.tray.openConsole, click: openConsole },
    { type: 'separator' },
    { label: text.tray.quit, click: () => app.quit() },
  ])
}

async function copy(address: string): Promise<void> {
  await clipboard.writeText(address).catch((error: unknown) => {
    process.stderr.write(`${text.tray.notCopied(String(error))}\n`)
  })
}
