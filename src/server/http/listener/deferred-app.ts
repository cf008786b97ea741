import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorReply, sendReply } from '../answer/reply.ts'
import { text } from '../strings.ts'

/** What answers requests. */
type App = (request: IncomingMessage, response: ServerResponse) => void

/** An app that is loaded after the server listens, or by the first request. */
export interface DeferredApp {
  /** Passes the request on, once the app is loaded. Answers 500 if it cannot be. */
  readonly answer: App
  /** Loads the app, unless that has begun. */
  begin(): void
}

/** Defers an app. `onFailure` hears of a failure to load it, and of every request that could not be answered for it. */
export function deferApp(
  load: () => Promise<App>,
  onFailure: (error: unknown) => void,
): DeferredApp {
  let app: App | undefined
  let loading: Promise<App> | undefined
  const loaded = () => {
    loading ??= load().then((result) => {
      app = result
      return result
    })
    return loading
  }
  return {
    answer(request, response) {
      if (app !== undefined) {
        app(request, response)
        return
      }
      loaded().then(
        (result) => {
          // Whoever has gone meanwhile is not read from: nothing would come.
          if (!request.socket.destroyed) result(request, response)
        },
        (error) => {
          onFailure(error)
          sendReply(response, errorReply(500, text.internalError))
        },
      )
    },
    begin: () => void loaded().catch(onFailure),
  }
}
