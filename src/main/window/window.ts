import { app, BrowserWindow, dialog, nativeTheme } from 'electron'
import { START_PAGE } from '../page/addresses.ts'
import { trust } from '../page/sender.ts'
import { text } from '../strings.ts'
import { MIN_HEIGHT, MIN_WIDTH } from './bounds.ts'
import { keepLoaded } from './page-recovery.ts'
import { webPreferences } from './web-preferences.ts'
import type { RememberedWindow } from './window-state.ts'

const words = text.unsaved

const DISCARD = 0
const KEEP = 1

/**
 * Asks whether the input in a form of the page may be discarded, and returns the answer. Blocks the main
 * process, because Electron needs the answer synchronously; the server process keeps running.
 */
function discards(window: BrowserWindow): boolean {
  const answer = dialog.showMessageBoxSync(window, {
    type: 'warning',
    title: words.title,
    message: words.message,
    detail: words.detail,
    buttons: [words.discard, words.cancel],
    defaultId: KEEP,
    cancelId: KEEP,
    noLink: true,
  })
  return answer === DISCARD
}

/** Shown until the page has painted, so that a dark desktop sees no white flash. */
const BACKGROUND = { dark: '#1a1b1e', light: '#ffffff' }

export interface ConsoleOptions {
  readonly remembered: RememberedWindow
  /** Returns whether closing the window only hides it, so that the server keeps running. */
  staysOpen(): boolean
  /** Called when the person keeps the window open because its form holds input. */
  onKept(): void
}

/** The console's one window. It is made at its first use, and again after it was closed. */
export class ConsoleWindow {
  readonly #options: ConsoleOptions
  #window: BrowserWindow | undefined
  /** Leaving full screen in order to hide, unless the window is requested in the meantime. */
  #isHiding = false

  constructor(options: ConsoleOptions) {
    this.#options = options
  }

  /** Brings the window to the front. Returns whether it was made for that: its page listens to nothing yet. */
  show(): boolean {
    this.#isHiding = false
    if (this.#window === undefined) {
      this.#window = this.#create()
      return true
    }
    if (this.#window.isMinimized()) this.#window.restore()
    this.#window.show()
    this.#window.focus()
    return false
  }

  /** Loads the page anew. It must hold no input: it is asked all the same. */
  reload(): void {
    this.#window?.webContents.reload()
  }

  #create(): BrowserWindow {
    const { remembered, staysOpen, onKept } = this.#options
    const { bounds, maximized } = remembered.read()
    const window = new BrowserWindow({
      ...bounds,
      minWidth: MIN_WIDTH,
      minHeight: MIN_HEIGHT,
      show: false,
      title: 'Tidegate',
      backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
      webPreferences: webPreferences(app.isPackaged),
    })
    trust(window.webContents)
    remembered.follow(window)
    window.once('ready-to-show', () => {
      if (maximized) window.maximize()
      window.show()
    })
    window.on('close', (event) => {
      if (!staysOpen()) return
      event.preventDefault()
      this.#hide(window)
    })
    window.webContents.on('will-prevent-unload', (event) => {
      this.show()
      if (discards(window)) event.preventDefault()
      else onKept()
    })
    window.once('closed', () => {
      this.#window = undefined
    })
    keepLoaded(window, START_PAGE)
    return window
  }

  /** A full-screen window must leave full screen first: macOS would leave a black screen behind. */
  #hide(window: BrowserWindow): void {
    if (process.platform !== 'darwin' || !window.isFullScreen()) {
      window.hide()
      return
    }
    this.#isHiding = true
    window.once('leave-full-screen', () => {
      if (this.#isHiding) window.hide()
    })
    window.setFullScreen(false)
  }
}
