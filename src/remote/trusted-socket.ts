import type { Agent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { connect as connectPlain, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import {
  connect,
  createSecureContext,
  getCACertificates,
  rootCertificates,
  type SecureContext,
  type TLSSocket,
} from 'node:tls'
import { Agent as HttpAgent } from '../shared/basics/node-http.ts'
import type { Fingerprint } from '../shared/console/desktop/remote-servers.ts'
import { CertificateError, ConnectionError } from './connection-error.ts'

/** Milliseconds until a server must have answered to being connected to. */
const CONNECT_TIME = 10_000

/** Where a server is, and which certificate it has. */
export interface Endpoint {
  readonly url: string
  /** The only certificate that is accepted; null for those that the system trusts. */
  readonly pin: Fingerprint | null
}

let trusted: SecureContext | undefined

/** The authorities that Node and the system trust. Read once, because a system can have hundreds. */
function authorities(): SecureContext {
  trusted ??= createSecureContext({ ca: [...rootCertificates, ...getCACertificates('system')] })
  return trusted
}

/**
 * Connects to a server and resolves when its certificate is accepted: nothing is sent before. Rejects with a
 * `ConnectionError`, which is a `CertificateError` if the certificate is not accepted.
 */
export async function openSocket({ url, pin }: Endpoint): Promise<Socket> {
  const { protocol, hostname, port } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  if (protocol === 'http:') {
    const socket = connectPlain({ host, port: Number(port || 80) })
    await opened(socket, 'connect')
    return socket
  }
  // The handshake is finished whatever the certificate, so that its fingerprint can be shown; then it is
  // judged here, before anybody gets the socket.
  const socket = connect({
    host,
    port: Number(port || 443),
    servername: /[a-z]/i.test(host) && !host.includes(':') ? host : '',
    secureContext: authorities(),
    rejectUnauthorized: false,
  })
  await opened(socket, 'secureConnect')
  try {
    requireAccepted(socket, pin)
  } catch (error) {
    socket.destroy()
    throw error
  }
  return socket
}

/** Throws unless the certificate is the pinned one or, without a pin, one that the system trusts for this name. */
function requireAccepted(socket: TLSSocket, pin: Fingerprint | null): void {
  const presented = socket.getPeerX509Certificate()?.fingerprint256
  if (presented === undefined) throw new ConnectionError('not_tls')
  const isAccepted = pin === null ? socket.authorized : presented === pin
  if (isAccepted) return
  // Node writes a code or an error here, and types it as an error alone.
  const reason: unknown = socket.authorizationError
  throw new CertificateError(
    pin,
    presented,
    reason instanceof Error ? reason.message : String(reason ?? ''),
  )
}

function opened(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      clearTimeout(timer)
      socket.destroy()
      reject(ConnectionError.of(error))
    }
    const timer = setTimeout(() => fail(new ConnectionError('timed_out')), CONNECT_TIME)
    const closed = () => fail(new ConnectionError('unreachable'))
    socket.once('error', fail)
    socket.once('close', closed)
    socket.once(event, () => {
      clearTimeout(timer)
      socket.off('error', fail)
      socket.off('close', closed)
      resolve()
    })
  })
}

/** Connections that are open at once. */
const MAX_SOCKETS = 6

type Opened = (error: Error | null, socket: Duplex) => void

/** Creates an agent whose requests go to one server alone, over connections whose certificate was accepted. */
export function trustedAgent(endpoint: Endpoint): Agent {
  const options = { keepAlive: true, maxSockets: MAX_SOCKETS }
  const agent = endpoint.url.startsWith('http:') ? new HttpAgent(options) : new HttpsAgent(options)
  agent.createConnection = (_options, opened: Opened = () => {}) => {
    openSocket(endpoint).then(
      (socket) => opened(null, socket),
      // Together with an error, nobody looks at a socket.
      (error: unknown) => Reflect.apply(opened, undefined, [error]),
    )
    return undefined
  }
  return agent
}
