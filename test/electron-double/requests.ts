import type { DevToolsSession } from './devtools.ts'
import { fromChromium, handlerOf } from './protocol.ts'

interface Paused {
  readonly requestId: string
  readonly frameId: string
  readonly resourceType: string
  readonly request: {
    readonly url: string
    readonly method: string
    readonly headers: Record<string, string>
    readonly postData?: string
  }
}

/** Handles every request of a page: asks the app about navigations, and lets it answer those of its schemes. */
export class Requests {
  private readonly devTools: DevToolsSession
  private readonly mayNavigate: (url: string, frameId: string) => boolean

  constructor(devTools: DevToolsSession, mayNavigate: Requests['mayNavigate']) {
    this.devTools = devTools
    this.mayNavigate = mayNavigate
    devTools.on('Fetch.requestPaused', (paused) => {
      // A request whose page is gone can no longer be answered.
      this.answer(paused).catch(() => {})
    })
  }

  private async answer(paused: Paused): Promise<void> {
    const { requestId, resourceType, frameId } = paused
    const url = fromChromium(paused.request.url)
    if (resourceType === 'Document' && !this.mayNavigate(url, frameId)) {
      await this.fail(requestId, 'Aborted')
      return
    }
    const handler = handlerOf(url)
    if (handler === undefined) {
      await this.devTools.send('Fetch.continueRequest', { requestId })
      return
    }
    try {
      await this.fulfil(requestId, await handler(toRequest(url, paused)))
    } catch (error) {
      process.stderr.write(`electron-double: ${url}: ${error}\n`)
      await this.fail(requestId, 'Failed')
    }
  }

  private async fulfil(requestId: string, response: Response): Promise<void> {
    await this.devTools.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: response.status,
      responseHeaders: [...response.headers].map(([name, value]) => ({ name, value })),
      body: Buffer.from(await response.arrayBuffer()).toString('base64'),
    })
  }

  private async fail(requestId: string, errorReason: 'Aborted' | 'Failed'): Promise<void> {
    await this.devTools.send('Fetch.failRequest', { requestId, errorReason })
  }
}

function toRequest(url: string, { request }: Paused): Request {
  const { method, headers, postData } = request
  return new Request(url, {
    method,
    headers,
    ...(postData === undefined ? {} : { body: postData }),
  })
}
