import type { EventEmitter } from 'node:events'
import type { Frame } from './frame.ts'
import type { Page } from './page.ts'
import { fromChromium } from './protocol.ts'
import { recorded } from './recorded.ts'
import { preventable } from './stand-in.ts'

export type OpenHandler = (details: { url: string; frameName: string; disposition: string }) => {
  action: 'deny' | 'allow'
}

// Chromium's own dialog would be answered by the first client that is connected, which may be Playwright.
const ASK = `(() => {
  const event = document.createEvent('BeforeUnloadEvent')
  event.initEvent('beforeunload', false, true)
  window.dispatchEvent(event)
  return event.defaultPrevented || event.returnValue !== ''
})()`

/** Asks the app before a page is left, is navigated or opens a window. */
export class PageDepartures {
  openHandler: OpenHandler | null = null
  readonly #contents: EventEmitter

  /** `contents`: the object on which the app listens. */
  constructor(contents: EventEmitter) {
    this.#contents = contents
  }

  /** Asks the page's `beforeunload`, and the app if the page objects. */
  async mayUnload(page: Page): Promise<boolean> {
    if (!(await objectsToUnload(page))) return true
    const event = preventable({})
    this.#contents.emit('will-prevent-unload', event)
    return event.defaultPrevented
  }

  /** Asks about a navigation of `frame` that the page started. */
  mayNavigate(url: string, frame: Frame, isMainFrame: boolean): boolean {
    const event = preventable({ url, isMainFrame, isSameDocument: false, frame, initiator: frame })
    this.#contents.emit('will-frame-navigate', event)
    if (isMainFrame) this.#contents.emit('will-navigate', event, url)
    return !event.defaultPrevented
  }

  /** Asks about a new window, and never opens one. */
  refuseWindow(url: string): void {
    const details = { url: fromChromium(url), frameName: '', disposition: 'foreground-tab' }
    const { action } = this.openHandler?.(details) ?? { action: 'allow' }
    if (action === 'allow') recorded.problems.push(`The double opens no window for ${details.url}`)
  }
}

/** Returns whether the page's `beforeunload` listeners object. A page that is gone does not. */
async function objectsToUnload(page: Page): Promise<boolean> {
  const asked = page.session.send('Runtime.evaluate', { expression: ASK, returnByValue: true })
  return await asked.then(
    ({ result }) => result.value === true,
    () => false,
  )
}
