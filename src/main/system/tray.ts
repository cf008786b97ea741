import { app, clipboard, Menu, nativeTheme, Tray } from 'electron'
import type { ServerState } from '../../shared/console/shell.ts'
import { stateWords } from './strings.ts'
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
    tray.setToolTip(`Tidegate: ${stateWords(state)}`)
    tray.setContextMenu(menuOf(state, actions))
  }
}

function menuOf(state: ServerState, { openConsole, retryServer }: TrayActions): Menu {
  const address = state.state === 'running' ? state.address : undefined
  const waits = state.state === 'failed' || state.state === 'restarting'
  return Menu.buildFromTemplate([
    { label: stateWords(state), enabled: false },
    {
      label: 'Copy server address',
      enabled: address !== undefined,
      click: () => void copy(address ?? ''),
    },
    { label: 'Start the server now', visible: waits, click: retryServer },
    { type: 'separator' },
    { label: 'Open console', click: openConsole },
    { type: 'separator' },
    { label: 'Quit Tidegate', click: () => app.quit() },
  ])
}

async function copy(text: string): Promise<void> {
  await clipboard.writeText(text).catch((error: unknown) => {
    process.stderr.write(`The address could not be copied: ${String(error)}\n`)
  })
}
