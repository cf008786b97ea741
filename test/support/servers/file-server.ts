import { createHash } from 'node:crypto'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { listenLocally } from './listen.ts'

/** How a file server answers a path. */
export type FileReply = (response: ServerResponse) => void

/** A real HTTP or HTTPS server of files. */
export interface FileServer {
  /** Such as `http://127.0.0.1:40123`. */
  readonly url: string
  readonly port: number
  /** `127.0.0.1:<port>`. */
  readonly host: string
  /** Paths that were asked for, in order. */
  readonly asked: readonly string[]
  /** Connections that were opened. */
  readonly connections: () => number
  /** From now on, answers that path so. */
  put(path: string, reply: FileReply | Buffer): void
}

/** Starts a file server on a free port, which answers 404 to what it has no reply for; stopped after the test. */
export async function startFileServer(
  tls?: { readonly cert: Buffer; readonly key: Buffer },
  listenOn = '127.0.0.1',
): Promise<FileServer> {
  const replies = new Map<string, FileReply | Buffer>()
  const asked: string[] = []
  let connections = 0
  const listener: RequestListener = ({ url: path = '' }, response) => {
    asked.push(path)
    const reply = replies.get(path)
    if (reply === undefined) response.writeHead(404).end()
    else if (typeof reply === 'function') reply(response)
    else response.writeHead(200, { 'content-length': reply.length }).end(reply)
  }
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
  server.on('connection', () => {
    connections += 1
  })
  const host = await listenLocally(server, listenOn)
  const url = `${tls === undefined ? 'http' : 'https'}://${host}`
  const put: FileServer['put'] = (path, reply) => void replies.set(path, reply)
  return {
    ...{ url, port: Number(host.slice(host.lastIndexOf(':') + 1)), host, asked, put },
    connections: () => connections,
  }
}

/** What is published of a file that is served there. */
export function publishedFile(url: string, bytes: Buffer) {
  const sha512 = createHash('sha512').update(bytes).digest('hex')
  return { url, sha512, size: bytes.length, signature: '' }
}
