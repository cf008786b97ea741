import type { BrowserWindow, WebPreferences } from './browser-window.ts'
import { createCodec } from './codec.ts'
import type { Frame } from './frame.ts'
import { FrameTree } from './frame-tree.ts'
import type { MessagePortMain } from './message-port.ts'
import { Page } from './page.ts'
import { type OpenHandler, PageDepartures } from './page-departures.ts'
import { PageLoading } from './page-loading.ts'
import { PageMessages } from './page-messages.ts'
import { PortRelay } from './port-relay.ts'
import { toChromium } from './protocol.ts'
import { Requests } from './requests.ts'
import { session } from './session.ts'
import { ViewSettings } from './view-settings.ts'

const codec = createCodec()
let lastId = 0

/** The page of a window: its frames, navigation and messages. */
export class WebContents extends ViewSettings {
  readonly id: number
  readonly session = session.defaultSession
  /** Not Electron's: the tab of Chromium, once it is open. */
  readonly opened: Promise<Page>
  readonly window: BrowserWindow
  private readonly preferences: WebPreferences
  /** The ports of the document that the page shows. */
  private readonly ports = new PortRelay((relayed) =>
    this.deliver(this.page?.targetId, { kind: 'relayed', relayed }),
  )
  private readonly frames = new FrameTree((frameId, channel, args, transfer) => {
    const ports = transfer.map((port) => this.ports.take(port.release()))
    this.deliver(frameId, { kind: 'event', channel, args, ports })
  })
  private page: Page | null = null
  private readonly loading = new PageLoading(this)
  private readonly departures = new PageDepartures(this)
  private destroyed = false
  private crashed = false
  private title = ''

  constructor(window: BrowserWindow, preferences: WebPreferences) {
    super(preferences.devTools ?? true)
    this.preferences = preferences
    lastId += 1
    this.id = lastId
    this.window = window
    this.opened = Page.open((page) => this.listen(page), preferences.preload)
    this.opened.catch((error) => {
      if (!this.destroyed) process.stderr.write(`electron-double: ${error}\n`)
    })
  }

  get mainFrame(): Frame {
    return this.frames.main
  }
  getURL = () => this.mainFrame.url
  getTitle = () => this.title
  getType = () => 'window'
  getLastWebPreferences = () => ({ ...this.preferences })
  getOSProcessId = () => 0
  isDestroyed = () => this.destroyed
  isCrashed = () => this.crashed
  isLoading = () => this.loading.isActive
  isLoadingMainFrame = () => this.loading.isActive
  isFocused = () => this.window.isFocused()
  focus = () => this.window.focus()
  setWindowOpenHandler(handler: OpenHandler): void {
    this.departures.openHandler = handler
  }

  send(channel: string, ...args: unknown[]): void {
    this.mainFrame.send(channel, ...args)
  }

  postMessage(channel: string, message: unknown, transfer?: readonly MessagePortMain[]): void {
    this.mainFrame.postMessage(channel, message, transfer)
  }

  /** Resolves when the page has loaded; rejects with Chromium's error name. */
  async loadURL(url: string): Promise<void> {
    const page = await this.opened
    this.crashed = false
    await this.loading.load(page, url)
  }

  reload(): void {
    this.mayUnload().then((may) => {
      if (may) this.loading.reload(this.page)
    })
  }

  /** Not Electron's: asks the page's `beforeunload`, and the app if the page objects. */
  async mayUnload(): Promise<boolean> {
    return this.page === null || this.crashed || (await this.departures.mayUnload(this.page))
  }

  async executeJavaScript(code: string): Promise<unknown> {
    const { session: devTools } = await this.opened
    const answer = await devTools.send('Runtime.evaluate', {
      expression: code,
      awaitPromise: true,
      returnByValue: true,
    })
    if (answer.exceptionDetails) throw new Error(answer.exceptionDetails.text)
    return answer.result.value
  }

  forcefullyCrashRenderer(): void {
    this.page?.session.send('Page.crash').catch(() => {})
  }

  /** Closes the page and its window, which is not asked. */
  close(): void {
    this.window.destroy()
  }

  /** Not Electron's: called when the window is destroyed. */
  destroy(): void {
    if (this.destroyed) return
    this.destroyed = true
    this.ports.closeAll()
    this.mainFrame.detached = true
    this.opened.then((page) => page.close()).catch(() => {})
    this.emit('destroyed')
  }

  /** Not Electron's: the tab's id in Chromium's protocol. */
  get targetId(): string | undefined {
    return this.page?.targetId
  }

  private listen(page: Page): void {
    this.page = page
    const { session: devTools } = page
    this.frames.follow(devTools, page.targetId, (event, frame, url, isSameDocument) => {
      const isMainFrame = frame === this.frames.main
      if (event === 'did-start-navigation') this.emit(event, { url, isMainFrame, isSameDocument })
      if (event === 'did-navigate-in-page') this.emit(event, {}, url, isMainFrame)
      if (event !== 'did-navigate' || !isMainFrame) return
      this.ports.closeAll()
      this.emit(event, {}, url, 200, 'OK')
      this.applyPermissions(page).catch(() => {})
    })
    devTools.on('Page.domContentEventFired', () => this.emit('dom-ready', {}))
    devTools.on('Page.loadEventFired', () => this.finishLoading())
    devTools.on('Page.windowOpen', ({ url }) => this.refuseWindow(url))
    page.onGone((reason, exitCode) => {
      this.crashed = true
      this.ports.closeAll()
      this.loading.fail()
      this.emit('render-process-gone', {}, { reason, exitCode })
    })
    devTools.on('Inspector.detached', () => this.window.destroy())
    const messages = new PageMessages(this, this.ports, (id, message) => this.deliver(id, message))
    page.onMessage((text, id) => messages.take(codec.decode(text), this.frames.get(id) ?? null, id))
    new Requests(devTools, (url, frameId) => this.mayNavigate(url, this.frames.get(frameId)))
  }

  private deliver(frameId: string | undefined, message: object): void {
    if (frameId !== undefined) this.page?.deliver(frameId, codec.encode(message))
  }

  private async applyPermissions(page: Page): Promise<void> {
    const { url, origin } = this.mainFrame
    const { origin: chromiumOrigin } = new URL(toChromium(url))
    await page.allow(await this.session.decide(this, origin), chromiumOrigin)
  }

  private finishLoading(): void {
    if (this.loading.finish()) this.window.pageLoaded()
  }

  /** Not Electron's: asks the app about a new window, and never opens one. */
  refuseWindow(url: string): void {
    this.departures.refuseWindow(url)
  }

  /** Asks the app about a navigation that the page started. Those of `loadURL` are the app's own. */
  private mayNavigate(url: string, frame: Frame = this.mainFrame): boolean {
    const isMainFrame = frame === this.mainFrame
    if (isMainFrame && this.loading.ask()) return true
    return this.departures.mayNavigate(url, frame, isMainFrame)
  }
}
