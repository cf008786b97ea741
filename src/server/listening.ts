import type { Server as HttpServer } from 'node:http'
import { Server as SecureServer } from 'node:https'
import type { Logger } from 'pino'
import type { ServerConfig } from './config.ts'
import { type Tls, TlsFiles } from './http/tls-files.ts'

/** Milliseconds that requests in progress have to end when the server stops. */
const CLOSE_TIME = 5_000

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
      log.error({ err: error, certFile, keyFile }, 'the changed certificate cannot be used'),
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

/** Rejects with the error of the operating system when it cannot listen on the address. */
export function listen(listener: HttpServer, { host, port }: ServerConfig): Promise<void> {
  return new Promise((resolve, reject) => {
    listener.once('error', reject)
    listener.listen({ host, port }, () => {
      listener.off('error', reject)
      resolve()
    })
  })
}

/** Ends idle connections immediately, and the others within five seconds. */
export async function closeListener(listener: HttpServer): Promise<void> {
  const closed = new Promise<void>((resolve) => listener.close(() => resolve()))
  listener.closeIdleConnections()
  const timer = setTimeout(() => listener.closeAllConnections(), CLOSE_TIME)
  await closed
  clearTimeout(timer)
}

/** The base address of a listening server, such as `http://127.0.0.1:8440`. */
export function addressOf(listener: HttpServer, { host, tls }: ServerConfig): string {
  const bound = listener.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0
  const name = host.includes(':') ? `[${host}]` : host
  return `${tls === undefined ? 'http' : 'https'}://${name}:${port}`
}
