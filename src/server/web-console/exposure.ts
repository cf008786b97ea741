import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { ConsoleConfig } from '../config.ts'
import type { ApiContext } from '../http/context.ts'
import { isOwnName, nameInHost } from '../runtime/own-names.ts'

/** How a request reached the console, when it may be answered. */
export interface Reached {
  /** The origin of the console's page for this caller, such as `https://updates.studio.example`. */
  readonly origin: string
  /** Whether the caller's connection is encrypted, as far as the first trusted proxy. */
  readonly secure: boolean
  /** Whether only a direct connection of this computer lets the caller in. */
  readonly isForThisComputer: boolean
}

/**
 * Why a request does not reach the console:
 * - `off`: the console is not offered on this address at all
 * - `needs_tls`: it would be, over TLS
 * - `unknown_host`: the `Host` is none of the server's names, as with DNS rebinding
 * - `proxy_host`, `proxy_protocol`: a trusted proxy replaces the `Host`, or does not say whether the browser uses HTTPS
 */
export type Unreachable = 'off' | 'needs_tls' | 'unknown_host' | 'proxy_host' | 'proxy_protocol'

type Parts = Pick<ApiContext, 'trustProxy'> & { readonly config: ConsoleConfig }

/** What proxies add to requests, besides `X-Forwarded-*`. */
const SIGNS = ['forwarded', 'via', 'x-real-ip'] as const

/**
 * Returns whether the console answers a request. It does on a direct connection over loopback, behind a trusted proxy, and on other
 * addresses if it is offered to the network, over TLS unless plain HTTP is allowed explicitly. Everywhere
 * only under the names of the server (docs/operate.md, "The console in a browser").
 */
export function reachConsole(
  request: Pick<IncomingMessage, 'headers' | 'socket'>,
  { config, trustProxy }: Parts,
): Reached | Unreachable {
  if (config.mode === 'off') return 'off'
  const { remoteAddress = '', localAddress = '' } = request.socket
  const viaProxy = trustProxy?.(remoteAddress, 0) === true
  const forwarded = viaProxy ? header(request.headers['x-forwarded-proto']) : undefined
  const secure = forwarded === undefined ? isTls(request.socket) : forwarded === 'https'
  const isDirect = !viaProxy && !isForwarded(request.headers)
  const isLocal = isDirect && isLoopback(remoteAddress) && isLoopback(localAddress)
  if (!isLocal && !viaProxy && config.mode !== 'lan') return 'off'
  const host = request.headers.host ?? ''
  const name = nameInHost(host)
  if (name === undefined) return 'unknown_host'
  const isKnown =
    config.names.includes(name) ||
    (isLocal && isLoopbackName(name)) ||
    (!viaProxy && isOwnName(name))
  // A proxy that is not told otherwise sends the address at which it reaches this server.
  if (!isKnown)
    return viaProxy && (isLoopbackName(name) || isOwnName(name)) ? 'proxy_host' : 'unknown_host'
  const isEnoughForOthers = secure || config.plainHttp
  if (!isLocal && !isEnoughForOthers) {
    return viaProxy && forwarded === undefined ? 'proxy_protocol' : 'needs_tls'
  }
  const isForThisComputer = isLocal && !(config.mode === 'lan' && isEnoughForOthers)
  return {
    origin: `${secure ? 'https' : 'http'}://${host.toLowerCase()}`,
    secure,
    isForThisComputer,
  }
}

function isForwarded(headers: IncomingMessage['headers']): boolean {
  if (SIGNS.some((name) => headers[name] !== undefined)) return true
  return Object.keys(headers).some((name) => name.startsWith('x-forwarded-'))
}

function isTls(socket: IncomingMessage['socket']): boolean {
  return (socket as Partial<TLSSocket>).encrypted === true
}

/** The first of a list of values, as proxies in a row write it. */
function header(value: string | string[] | undefined): string | undefined {
  const text = Array.isArray(value) ? value[0] : value
  return text?.split(',')[0]?.trim().toLowerCase()
}

function isLoopbackName(name: string): boolean {
  return name === 'localhost' || isLoopback(name)
}

/** Returns whether an IP address is of this computer only. */
function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '')
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'))
}
