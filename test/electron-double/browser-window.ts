import { app } from './app.ts'
import { nativeTheme } from './native-theme.ts'
import { preventable } from './stand-in.ts'
import { WebContents } from './web-contents.ts'
import type { Bounds } from './window-state.ts'
import { WindowState } from './window-state.ts'
import { openWindows } from './windows.ts'

/** The options that the double supports. */
export interface WebPreferences {
  readonly preload?: string
  readonly sandbox?: boolean
  readonly contextIsolation?: boolean
  readonly nodeIntegration?: boolean
  readonly devTools?: boolean
}

interface WindowOptions extends Partial<Bounds> {
  readonly show?: boolean
  readonly title?: string
  readonly webPreferences?: WebPreferences
}

let lastId = 0

/** A window without a frame on an invisible screen: a tab of Chromium with the window's size. */
export class BrowserWindow extends WindowState {
  readonly id: number
  readonly webContents: WebContents
  private destroyed = false
  private closing = false
  private shown = false

  constructor(options: WindowOptions = {}) {
    super(options)
    if (!app.isReady()) throw new Error('Cannot create BrowserWindow before app is ready')
    const { webPreferences = {} } = options
    const { sandbox, contextIsolation, nodeIntegration } = webPreferences
    if (sandbox === false || contextIsolation === false || nodeIntegration) {
      throw new Error('The Electron double has sandboxed, isolated pages only')
    }
    lastId += 1
    this.id = lastId
    this.webContents = new WebContents(this, webPreferences)
    openWindows.add(this)
    this.on('resize', () => this.applySize())
    this.webContents.opened.then(
      () => this.applySize(),
      () => {},
    )
    nativeTheme.applyTo(this.webContents)
    this.webContents.session.begin()
    app.emit('web-contents-created', {}, this.webContents)
    app.emit('browser-window-created', {}, this)
  }

  static getAllWindows = () => [...openWindows]
  static getFocusedWindow = () => [...openWindows].find((window) => window.isFocused()) ?? null
  static fromId = (id: number) => [...openWindows].find((window) => window.id === id) ?? null
  static fromWebContents = (contents: WebContents) =>
    [...openWindows].find((window) => window.webContents === contents) ?? null

  loadURL = (url: string) => this.webContents.loadURL(url)
  reload = () => this.webContents.reload()
  isDestroyed = () => this.destroyed

  /** Asks the app, then the page, then closes. */
  close(): void {
    if (this.destroyed || this.closing) return
    const event = preventable({})
    this.emit('close', event)
    if (event.defaultPrevented) {
      app.windowStays()
      return
    }
    this.closing = true
    this.webContents.mayUnload().then((may) => {
      this.closing = false
      if (may) this.destroy()
      else app.windowStays()
    })
  }

  destroy(): void {
    if (this.destroyed) return
    this.destroyed = true
    openWindows.delete(this)
    this.webContents.destroy()
    this.emit('closed')
    app.windowClosed()
  }

  /** Not Electron's: called when the page has loaded or reloaded. */
  pageLoaded(): void {
    if (!this.shown) this.emit('ready-to-show')
    this.shown = true
  }

  private applySize(): void {
    if (this.isMinimized()) return
    const { width, height } = this.getBounds()
    const metrics = { width, height, deviceScaleFactor: 1, mobile: false }
    this.webContents.opened
      .then((page) => page.session.send('Emulation.setDeviceMetricsOverride', metrics))
      .catch(() => {})
  }
}
