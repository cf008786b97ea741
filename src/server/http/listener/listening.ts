import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import { Server as SecureServer } from 'node:https'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import type { ServerConfig } from '../../config.ts'
import { type Tls, TlsFiles } from './tls-files.ts'

/** Milliseconds that requests in progress have to end when the server stops. */
const CLOSE_TIME = 5_000
/** Milliseconds between two looks for connections whose last request has ended meanwhile. */
const IDLE_LOOK = 50

/** The initial certificate, and what replaces it while the server runs. */
export interface OpenTls {
  readonly pair: Tls
  readonly files: TlsFiles
  /** Uses every new pair for new connections. */
  watch(listener: HttpServer): void
}

/** Loads the TLS files, if configured. Rejects when they cannot be used. */
export async function openTls(
  config: ServerConfig['tls'],
  log: Logger,
): Promise<OpenTls | undefined> {
  if (config === undefined) return undefined
  const { certFile, keyFile } = config
  let secure: SecureServer | undefined
  const files = new TlsFiles({
    certFile,
    keyFile,
    onLoaded(pair, expiresAt) {
      secure?.setSecureContext(pair)
      log.info({ certFile, expiresAt }, 'certificate reloaded')
    },
    onRefused: (error) =>
      log.error({ err: error, certFile, keyFile }, 'changed certificate rejected'),
    onExpiry: (expiresAt, expiry) =>
      log.warn(
        { certFile, expiresAt },
        expiry === 'expired' ? 'certificate expired' : 'certificate expires soon',
      ),
  })
  const pair = await files.open()
  return {
    pair,
    files,
    watch(listener) {
      if (listener instanceof SecureServer) secure = listener
      files.watch()
    },
  }
}

/** Rejects with the system's error if the address cannot be listened on. `onFailure` hears of connections not accepted later. */
export async function listen(
  listener: HttpServer,
  { host, port }: ServerConfig,
  onFailure: (error: unknown) => void,
): Promise<void> {
  listener.listen({ host, port })
  await once(listener, 'listening')
  listener.on('error', onFailure)
}

/** Every connection that is open from now on, also before its TLS handshake. */
export function trackSockets(listener: HttpServer): ReadonlySet<Socket> {
  const sockets = new Set<Socket>()
  listener.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return sockets
}

/** Ends connections without a request at once, the others after their response and within five seconds. */
export async function closeListener(
  listener: HttpServer,
  sockets: ReadonlySet<Socket>,
): Promise<void> {
  const closed = new Promise<void>((resolve) => listener.close(() => resolve()))
  listener.closeIdleConnections()
  // Node keeps a connection open that becomes idle after the listener was closed.
  const looks = setInterval(() => listener.closeIdleConnections(), IDLE_LOOK)
  // Not closeAllConnections, which leaves out those whose TLS handshake is not over.
  const timer = setTimeout(() => {
    for (const socket of sockets) socket.destroy()
  }, CLOSE_TIME)
  await closed
  clearInterval(looks)
  clearTimeout(timer)
}

/** The base address of a listening server, such as `http://127.0.0.1:8440`. */
export function addressOf(listener: HttpServer, { host, tls }: ServerConfig): string {
  const bound = listener.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0
  const name = host.includes(':') ? `[${host}]` : host
  return `${tls === undefined ? 'http' : 'https'}://${name}:${port}`
}
