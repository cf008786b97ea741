import { app, BrowserWindow, dialog, nativeTheme } from 'electron'
import { BackOff } from '../back-off.ts'
import { START_PAGE } from '../page/addresses.ts'
import { trust } from '../page/sender.ts'
import { text } from '../strings.ts'
import { MIN_HEIGHT, MIN_WIDTH } from './bounds.ts'
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

const recovery = text.page

/** Consecutive exits after which a dialog is shown. */
const MOST_ENDS = 4

const RELOAD = 0
const QUIT = 1

/**
 * Loads a page, and reloads it with increasing delays whenever its process exits: it may have crashed,
 * or been killed when memory ran out. After repeated exits it asks the person.
 */
function keepLoaded(window: BrowserWindow, address: string): void {
  const backOff = new BackOff()
  /** Whether the page is known to be gone: a crash while loading is reported twice. */
  let isGone = false
  let timer: NodeJS.Timeout | undefined

  const load = () => {
    if (window.isDestroyed()) return
    isGone = false
    backOff.up()
    window.loadURL(address).catch((error: unknown) => {
      // Navigated to another address, such as itself again.
      if (!String(error).includes('ERR_ABORTED')) gone(String(error))
    })
  }
  const gone = (reason: string) => {
    if (isGone || window.isDestroyed()) return
    isGone = true
    const ends = backOff.failed()
    process.stderr.write(`${recovery.exited(reason)}\n`)
    if (ends < MOST_ENDS) timer = setTimeout(load, backOff.delay)
    else void ask()
  }
  const ask = async () => {
    backOff.forget()
    if ((await askPerson()) === QUIT) app.quit()
    else load()
  }

  window.webContents.on('render-process-gone', (_, { reason }) => gone(reason))
  window.once('closed', () => {
    clearTimeout(timer)
    backOff.down()
  })
  load()
}

async function askPerson(): Promise<number> {
  const { response } = await dialog.showMessageBox({
    type: 'error',
    title: recovery.title,
    message: recovery.message,
    detail: recovery.detail(MOST_ENDS),
    buttons: [recovery.reload, recovery.quit],
    defaultId: RELOAD,
    cancelId: RELOAD,
    noLink: true,
  })
  return response
}
