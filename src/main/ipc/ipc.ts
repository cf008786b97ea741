import { ipcMain, type WebContents } from 'electron'
import {
  type CallError,
  CallRequest,
  type CallResult,
  SubscribeRequest,
  type SubscriptionEvent,
} from '../../shared/console/bridge.ts'
import { answerCall, follow, type Procedures } from '../../shared/console/procedures.ts'
import { consoleOf, trustedSender } from '../page/sender.ts'
import type { Supervisor } from '../server-process/supervisor.ts'

const SHELL = 'shell.'
const MALFORMED: CallError = { code: 'invalid', message: 'body: is not a request' }

/**
 * Answers the console's calls and subscriptions: `shell.*` by the main process itself, the rest by
 * the server process.
 */
export function serveIpc(shell: Procedures, server: Pick<Supervisor, 'call' | 'subscribe'>): void {
  const subscriptions = new Subscriptions()

  ipcMain.handle('tidegate:call', async (event, message: unknown): Promise<CallResult> => {
    trustedSender(event)
    const request = CallRequest.safeParse(message)
    if (!request.success) return { ok: false, error: MALFORMED }
    const isShell = request.data.path.startsWith(SHELL)
    return isShell ? answerCall(shell, request.data) : server.call(request.data)
  })

  ipcMain.handle('tidegate:subscribe', (event, message: unknown): number => {
    const page = trustedSender(event)
    const request = SubscribeRequest.safeParse(message)
    return subscriptions.begin(page, (emit) => {
      if (!request.success) {
        emit({ type: 'error', error: MALFORMED })
        return () => {}
      }
      if (!request.data.path.startsWith(SHELL)) return server.subscribe(request.data, emit)
      const controller = new AbortController()
      void follow(shell, request.data, controller.signal, emit)
      return () => controller.abort()
    })
  })

  ipcMain.on('tidegate:unsubscribe', (event, id: unknown) => {
    // This message has no answer: an error here would be uncaught in the main process.
    const page = consoleOf(event)
    if (page !== undefined) subscriptions.end(page, id)
  })
}

/** The open subscriptions of every page. They end with the document that began them. */
class Subscriptions {
  readonly #open = new Map<WebContents, Map<unknown, () => void>>()
  #lastId = 0

  /** `start` returns what ends the subscription. */
  begin(
    page: WebContents,
    start: (emit: (event: SubscriptionEvent) => void) => () => void,
  ): number {
    const id = ++this.#lastId
    const ofPage = this.#ofPage(page)
    // Known before it starts: it may end in the same turn.
    ofPage.set(id, () => {})
    const end = start((event) => {
      if (event.type !== 'data') ofPage.delete(id)
      if (!page.isDestroyed()) page.send('tidegate:event', id, event)
    })
    if (ofPage.has(id)) ofPage.set(id, end)
    return id
  }

  end(page: WebContents, id: unknown): void {
    this.#open.get(page)?.get(id)?.()
    this.#open.get(page)?.delete(id)
  }

  #ofPage(page: WebContents): Map<unknown, () => void> {
    const known = this.#open.get(page)
    if (known !== undefined) return known
    const ofPage = new Map<unknown, () => void>()
    const endAll = () => {
      for (const end of ofPage.values()) end()
      ofPage.clear()
    }
    page.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
      if (isMainFrame && !isSameDocument) endAll()
    })
    page.on('render-process-gone', endAll)
    page.once('destroyed', () => {
      endAll()
      this.#open.delete(page)
    })
    this.#open.set(page, ofPage)
    return ofPage
  }
}
