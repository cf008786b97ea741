import type { EventEmitter } from 'node:events'
import type { Page } from './page.ts'
import { toChromium } from './protocol.ts'

/** The loading of a page, started by the app or by the page, with Electron's events. */
export class PageLoading {
  isActive = false
  readonly #contents: EventEmitter
  #fail = () => {}

  /** `contents`: the object on which the app listens. */
  constructor(contents: EventEmitter) {
    this.#contents = contents
  }

  /** Resolves when the page has loaded; rejects with Chromium's error name. */
  async load(page: Page, url: string): Promise<void> {
    this.isActive = true
    this.#contents.emit('did-start-loading')
    const loaded = Promise.withResolvers<void>()
    const finish = () => loaded.resolve()
    this.#contents.once('did-finish-load', finish)
    this.#fail = () => loaded.reject(new Error(`ERR_FAILED (-2) loading '${url}'`))
    const { errorText } = await page.session.send('Page.navigate', { url: toChromium(url) })
    if (errorText !== undefined) {
      this.isActive = false
      this.#contents.emit('did-fail-load', {}, -2, errorText, url, true)
      throw new Error(`${errorText} loading '${url}'`)
    }
    await loaded.promise.finally(() => {
      this.#contents.off('did-finish-load', finish)
    })
  }

  reload(page: Page | null): void {
    this.isActive = true
    page?.session.send('Page.reload').catch((error) => {
      process.stderr.write(`electron-double: the page was not loaded anew: ${error}\n`)
    })
  }

  /** Called when Chromium has loaded the page. */
  finish(): void {
    this.isActive = false
    this.#contents.emit('did-finish-load')
    this.#contents.emit('did-stop-loading')
  }

  /** Called when the page crashed before it was loaded. */
  fail(): void {
    this.#fail()
  }
}
