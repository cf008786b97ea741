import type { Menu } from './menu.ts'
import { recorded } from './recorded.ts'
import { StandIn, standIn } from './stand-in.ts'
import { SCREEN } from './window-state.ts'

/** The desktop around the app: recorded, and answered as a person would who presses Enter. */
export class Tray extends StandIn {
  private readonly record: (typeof recorded.trays)[number] = { tooltip: '', menu: null }
  private destroyed = false

  constructor(image: unknown) {
    super()
    if (image === undefined) throw new TypeError('A tray needs an image')
    recorded.trays.push(this.record)
  }
  setToolTip(text: string): void {
    this.record.tooltip = text
  }
  setContextMenu(menu: Menu | null): void {
    this.record.menu = menu
  }
  setImage = () => {}
  setPressedImage = () => {}
  setTitle = () => {}
  setIgnoreDoubleClickEvents = () => {}
  popUpContextMenu = () => {}
  getBounds = () => ({ x: 0, y: 0, width: 24, height: 24 })
  isDestroyed = () => this.destroyed
  destroy(): void {
    this.destroyed = true
    recorded.trays.splice(recorded.trays.indexOf(this.record), 1)
  }
}

export class Notification extends StandIn {
  title: string
  body: string

  constructor({ title = '', body = '' }: { title?: string; body?: string } = {}) {
    super()
    this.title = title
    this.body = body
  }
  static isSupported = () => true
  show(): void {
    recorded.notifications.push({ title: this.title, body: this.body })
    this.emit('show', {})
  }
  close(): void {
    this.emit('close', {})
  }
}

const lastArgument = (args: readonly unknown[]): object => Object(args.at(-1))

export const dialog = standIn('dialog', {
  showMessageBox: async (...args: unknown[]) => {
    recorded.dialogs.push(lastArgument(args))
    return { response: 0, checkboxChecked: false }
  },
  showMessageBoxSync: (...args: unknown[]) => {
    const options = lastArgument(args)
    recorded.dialogs.push(options)
    return Number(Reflect.get(options, 'defaultId') ?? 0)
  },
  showErrorBox: (title: string, content: string) => {
    recorded.dialogs.push({ title, content })
  },
  showOpenDialog: async (...args: unknown[]) => {
    recorded.dialogs.push(lastArgument(args))
    return { canceled: true, filePaths: [] }
  },
  showSaveDialog: async (...args: unknown[]) => {
    recorded.dialogs.push(lastArgument(args))
    return { canceled: true, filePath: '' }
  },
})

export const shell = standIn('shell', {
  openExternal: async (url: string) => {
    recorded.openedExternal.push(url)
  },
  openPath: async (path: string) => {
    recorded.openedPaths.push(path)
    return ''
  },
  showItemInFolder: (path: string) => {
    recorded.openedPaths.push(path)
  },
  beep: () => {},
})

let copied = ''
export const clipboard = standIn('clipboard', {
  writeText: async (text: string) => {
    copied = text
  },
  readText: async () => copied,
  clear: () => {
    copied = ''
  },
})

const display = {
  id: 1,
  bounds: SCREEN,
  workArea: SCREEN,
  size: SCREEN,
  scaleFactor: 1,
  rotation: 0,
}

class Screen extends StandIn {
  getPrimaryDisplay = () => display
  getAllDisplays = () => [display]
  getDisplayMatching = () => display
  getDisplayNearestPoint = () => display
  getCursorScreenPoint = () => ({ x: 0, y: 0 })
}
export const screen = new Screen()

class PowerMonitor extends StandIn {
  isOnBatteryPower = () => false
  getSystemIdleTime = () => 0
}
export const powerMonitor = new PowerMonitor()
