import { app, clipboard, Menu, type NativeImage, nativeImage, nativeTheme, Tray } from 'electron'
import onAny2x from '../../../build/icons/tray/tray-on-any@2x.png?inline'
import onAny from '../../../build/icons/tray/tray-on-any.png?inline'
import onDark2x from '../../../build/icons/tray/tray-on-dark@2x.png?inline'
import onDark from '../../../build/icons/tray/tray-on-dark.png?inline'
import onLight2x from '../../../build/icons/tray/tray-on-light@2x.png?inline'
import onLight from '../../../build/icons/tray/tray-on-light.png?inline'
import template2x from '../../../build/icons/tray/trayTemplate@2x.png?inline'
import template from '../../../build/icons/tray/trayTemplate.png?inline'
import type { ServerState } from '../../shared/console/desktop/shell.ts'
import { stateWords, text } from '../strings.ts'

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

/**
 * Returns the tray icon. macOS colors it itself. Windows reports the color of the taskbar, which is
 * independent of the app's theme. Linux reports nothing, so the icon has contrast on any panel.
 */
function trayIcon(): NativeImage {
  if (process.platform === 'darwin') {
    const image = imageOf(template, template2x)
    image.setTemplateImage(true)
    return image
  }
  if (process.platform !== 'win32') return imageOf(onAny, onAny2x)
  const isDark = nativeTheme.shouldUseDarkColorsForSystemIntegratedUI
  return isDark ? imageOf(onDark, onDark2x) : imageOf(onLight, onLight2x)
}

function imageOf(dataURL: string, dataURL2x: string): NativeImage {
  const image = nativeImage.createFromDataURL(dataURL)
  image.addRepresentation({ scaleFactor: 2, dataURL: dataURL2x })
  return image
}
