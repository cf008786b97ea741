import type { EventEmitter } from 'node:events'
import type { Page } from './page.ts'
import { toChromium } from './protocol.ts'

/** The loading of a page, started by the app or by the page, with Electron's events. */
export class PageLoading {
  isActive = false
  /** What the app has begun to load and Chromium has not asked for: a load event until then is of the document before. */
  #unasked = 0
  readonly #contents: EventEmitter
  #fail = () => {}

  /** `contents`: the object on which the app listens. */
  constructor(contents: EventEmitter) {
    this.#contents = contents
  }

  /** Resolves when the page has loaded; rejects with Chromium's error name. */
  async load(page: Page, url: string): Promise<void> {
    this.#begin()
    this.#contents.emit('did-start-loading')
    const loaded = Promise.withResolvers<void>()
    const finish = () => loaded.resolve()
    this.#contents.once('did-finish-load', finish)
    this.#fail = () => loaded.reject(new Error(`ERR_FAILED (-2) loading '${url}'`))
    const { errorText } = await page.session.send('Page.navigate', { url: toChromium(url) })
    if (errorText !== undefined) {
      this.#unasked = 0
      this.isActive = false
      this.#contents.emit('did-fail-load', {}, -2, errorText, url, true)
      throw new Error(`${errorText} loading '${url}'`)
    }
    await loaded.promise.finally(() => {
      this.#contents.off('did-finish-load', finish)
    })
  }

  reload(page: Page | null): void {
    if (page === null) return
    this.#begin()
    page.session.send('Page.reload').catch((error) => {
      this.#unasked = 0
      process.stderr.write(`electron-double: the page was not loaded anew: ${error}\n`)
    })
  }

  /** Called when Chromium asks for a document. Returns whether the app loads it. */
  ask(): boolean {
    this.#unasked = Math.max(0, this.#unasked - 1)
    return this.isActive
  }

  #begin(): void {
    this.isActive = true
    this.#unasked += 1
  }

  /** Called when Chromium has loaded a page. Returns whether that is the last one that was begun. */
  finish(): boolean {
    if (this.#unasked > 0) return false
    this.isActive = false
    this.#contents.emit('did-finish-load')
    this.#contents.emit('did-stop-loading')
    return true
  }

  /** Called when the page crashed before it was loaded. */
  fail(): void {
    this.#unasked = 0
    this.#fail()
  }
}
