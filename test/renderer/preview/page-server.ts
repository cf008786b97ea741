import { readFile } from 'node:fs/promises'
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { json, text } from 'node:stream/consumers'
import { CallRequest, SubscribeRequest } from '../../../src/shared/console/bridge/bridge.ts'
import {
  answerCall,
  follow,
  type Procedures,
} from '../../../src/shared/console/bridge/procedures.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
}

/** The policy of the desktop app, but for the bridge, which is HTTP here. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'"

/**
 * Serves the built page in `root`, and the bridge behind it over HTTP: `POST /bridge/call`, and
 * `POST /bridge/subscribe`, which answers one JSON text a line until the page goes away.
 */
export async function servePage(
  root: string,
  choose: (path: string) => Procedures,
): Promise<{ readonly address: string; close(): void }> {
  const server = createHttpServer((request, response) => {
    answer(request, response).catch(async (error: unknown) => {
      if (!response.headersSent) response.writeHead(500)
      response.end(String(error))
    })
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/bridge/call') {
      const call = CallRequest.parse(withInput(JSON.parse(await text(request), bytesBack)))
      response.end(JSON.stringify(await answerCall(choose(call.path), call)))
    } else if (request.url === '/bridge/subscribe') {
      const subscription = SubscribeRequest.parse(withInput(await json(request)))
      const ended = new AbortController()
      response.on('close', () => ended.abort())
      response.writeHead(200, { 'content-type': 'application/x-ndjson' }).flushHeaders()
      await follow(choose(subscription.path), subscription, ended.signal, (event) => {
        response.write(`${JSON.stringify(event)}\n`)
      })
      response.end()
    } else {
      const path = request.url === '/' ? '/index.html' : normalize(request.url ?? '/')
      const type = TYPES[extname(path)] ?? 'application/octet-stream'
      const file = await readFile(join(root, path))
      response.writeHead(200, { 'content-type': type, 'content-security-policy': POLICY }).end(file)
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}/`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** JSON drops an input that is undefined; IPC does not. */
function withInput(body: unknown): unknown {
  return typeof body === 'object' ? { input: undefined, ...body } : body
}

/** What the page has sent as bytes. */
function bytesBack(key: string, value: unknown): unknown {
  return key === 'content' && Array.isArray(value) ? Uint8Array.from(value) : value
}

/** Runs in the page ahead of its own script: the bridge, over HTTP. */
export function installBridge(): void {
  const asArray = (_: string, value: unknown) => (value instanceof Uint8Array ? [...value] : value)
  const post = (path: string, body: unknown, signal?: AbortSignal) =>
    fetch(path, {
      method: 'POST',
      body: JSON.stringify(body, asArray),
      ...(signal ? { signal } : {}),
    })
  const bridge = {
    call: async (request: unknown) => (await post('/bridge/call', request)).json(),
    subscribe(request: unknown, listener: (event: unknown) => void) {
      const ended = new AbortController()
      const read = async () => {
        const { body } = await post('/bridge/subscribe', request, ended.signal)
        let rest = ''
        const decoder = new TextDecoder()
        const reader = body?.getReader()
        for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
          const lines = (rest + decoder.decode(part.value, { stream: true })).split('\n')
          rest = lines.pop() ?? ''
          for (const line of lines) listener(JSON.parse(line))
        }
      }
      read().catch(() => {})
      return () => ended.abort()
    },
  }
  Object.defineProperty(window, 'tidegate', { value: bridge })
}
