import { existsSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { chromiumReady, scratch } from './chromium.ts'
import { commandLine } from './command-line.ts'
import { readManifest } from './manifest.ts'
import { utilities } from './processes.ts'
import { recorded } from './recorded.ts'
import { SingleInstanceLock } from './single-instance.ts'
import { preventable, StandIn } from './stand-in.ts'
import { openWindows } from './windows.ts'

export class App extends StandIn {
  /** Electron checks the name of its executable, unless this says that it is packaged. */
  readonly isPackaged = process.env.ELECTRON_FORCE_IS_PACKAGED !== undefined
  readonly dock = undefined
  readonly commandLine = commandLine()
  applicationMenu: object | null = null
  badgeCount = 0
  accessibilitySupportEnabled = false
  appPath = process.cwd()
  readonly codeLoaded: () => void
  private readonly ready: Promise<object>
  private readonly paths = new Map<string, string>()
  private isReadyNow = false
  private quitting = false
  private appName: string | null = null
  private lock: SingleInstanceLock | null = null
  private loginItem: { openAtLogin: boolean } = { openAtLogin: false }

  constructor() {
    super()
    const loaded = Promise.withResolvers<void>()
    this.codeLoaded = loaded.resolve
    // As in Electron, an app is not ready before its main module has run.
    this.ready = Promise.all([chromiumReady, loaded.promise]).then(() => {
      this.isReadyNow = true
      this.emit('will-finish-launching', {})
      this.emit('ready', {}, {})
      return {}
    })
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => this.quit())
  }

  isReady = () => this.isReadyNow
  whenReady = () => this.ready
  enableSandbox = () => {
    this.beforeReady('enableSandbox')
    this.commandLine.appendSwitch('enable-sandbox')
  }
  disableHardwareAcceleration = () => this.beforeReady('disableHardwareAcceleration')

  /** Not Electron's: throws when a call comes too late to have an effect. */
  beforeReady(name: string): void {
    if (this.isReadyNow) throw new Error(`${name} must be called before app is ready`)
  }

  getAppPath = () => this.appPath
  getVersion = () => readManifest(this.appPath).version
  getLocale = () => 'en-US'
  getSystemLocale = () => 'en-US'
  getPreferredSystemLanguages = () => ['en-US']
  getName(): string {
    const { name, productName } = readManifest(this.appPath)
    return this.appName ?? productName ?? name
  }
  get name(): string {
    return this.getName()
  }
  set name(name: string) {
    this.appName = name
  }
  setName(name: string): void {
    this.appName = name
  }

  getPath(name: string): string {
    const set = this.paths.get(name)
    if (set !== undefined) return set
    switch (name) {
      case 'home':
        return homedir()
      case 'temp':
        return tmpdir()
      case 'exe':
        return join(import.meta.dirname, 'electron')
      case 'userData':
      case 'sessionData':
        return join(this.getPath('appData'), this.getName())
      case 'logs':
      case 'crashDumps':
        return join(this.getPath('userData'), name)
      case 'appData':
      case 'desktop':
      case 'documents':
      case 'downloads':
        // Never the user's own folders.
        return join(scratch, name)
      default:
        throw new Error(`Failed to get '${name}' path`)
    }
  }
  setPath(name: string, path: string): void {
    if (!isAbsolute(path)) throw new Error('Path must be absolute')
    if (!existsSync(path)) throw new Error('Failed to set path')
    this.paths.set(name, path)
  }
  setAppLogsPath(path?: string): void {
    if (path !== undefined) this.paths.set('logs', path)
  }

  requestSingleInstanceLock(data: unknown = null): boolean {
    this.lock ??= new SingleInstanceLock(this.getPath('userData'), (second) =>
      this.emit('second-instance', {}, second.argv, second.cwd, second.data),
    )
    return this.lock.acquire(data)
  }
  hasSingleInstanceLock = () => this.lock?.held ?? false
  releaseSingleInstanceLock = () => this.lock?.release()

  setLoginItemSettings(settings: { openAtLogin?: boolean }): void {
    this.loginItem = { openAtLogin: settings.openAtLogin ?? false }
  }
  getLoginItemSettings = () => ({ ...this.loginItem, wasOpenedAtLogin: false })

  setAppUserModelId(id: string): void {
    recorded.appUserModelId = id
  }
  setAboutPanelOptions = () => {}
  showAboutPanel = () => {}
  setAsDefaultProtocolClient = () => true
  setBadgeCount = () => true
  focus = () => {}
  hide = () => {}
  show = () => {}
  getAppMetrics = () => [
    { pid: process.pid, type: 'Browser', name: 'Electron' },
    ...[...utilities].map(([pid, name]) => ({ pid, type: 'Utility', name })),
  ]
  relaunch = () => {
    throw new Error('The Electron double cannot relaunch')
  }

  /** Emits the events, closes the windows, and ends the process if no listener prevents it. */
  quit(): void {
    if (this.quitting) return
    const event = preventable({})
    this.emit('before-quit', event)
    if (event.defaultPrevented) return
    this.quitting = true
    for (const window of openWindows) window.close()
    if (openWindows.size === 0) this.finishQuitting()
  }

  exit(code = 0): void {
    for (const window of openWindows) window.destroy()
    this.emit('quit', {}, code)
    process.exit(code)
  }

  /** Not Electron's: called when a window is destroyed. */
  windowClosed(): void {
    if (openWindows.size > 0) return
    if (this.quitting) this.finishQuitting()
    else if (!this.emit('window-all-closed')) this.quit()
  }

  /** Not Electron's: a window refused to close, which cancels quitting. */
  windowStays(): void {
    this.quitting = false
  }

  private finishQuitting(): void {
    const event = preventable({})
    this.emit('will-quit', event)
    if (event.defaultPrevented) this.quitting = false
    else this.exit(0)
  }
}

export const app = new App()
