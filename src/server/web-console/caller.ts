import type { IncomingMessage } from 'node:http'
import { CONSOLE_HEADER } from '../../shared/console/bridge/web.ts'
import type { ConsoleConfig } from '../config.ts'
import type { SharedConsoleContext } from '../console/context.ts'
import { HttpError } from '../http/answer/errors.ts'
import type { ApiContext } from '../http/context.ts'
import { callerAddress } from '../http/request/address.ts'
import { text } from '../http/strings.ts'
import type { Notifications } from '../outbound/outbox/notifications.ts'
import type { Caller, Session } from '../people/account.ts'
import type { People } from '../people/people.ts'
import { knownBrowserMark, sessionToken } from './cookies.ts'
import { type Reached, reachConsole, type Unreachable } from './exposure.ts'
import type { HoldBack } from './hold-back.ts'

/** Characters of a browser's own name that are kept. */
const MAX_USER_AGENT = 300

/** Returns how a request reached the console. Throws 404, 403 and 421 where it does not. */
export function reached(request: IncomingMessage, parts: WebConsoleParts): Reached {
  const result = reachConsole(request, { config: parts.config, trustProxy: parts.api.trustProxy })
  if (typeof result === 'object') return result
  const { host = '' } = request.headers
  const errors: Readonly<Record<Unreachable, readonly [status: number, message: string]>> = {
    off: [404, text.unknownRoute(request.method ?? '', request.url ?? '')],
    needs_tls: [403, text.console.needsTls],
    unknown_host: [421, text.console.unknownHost(host)],
    proxy_host: [421, text.console.proxyHost(host)],
    proxy_protocol: [403, text.console.proxyProtocol],
  }
  throw new HttpError(...errors[result])
}

/** Throws 403 unless the `Origin` is that of the page and a header is set that no other origin can add (OWASP, CSRF). */
export function requireOwnPage({ headers }: IncomingMessage, { origin }: Reached): void {
  if (headers.origin !== origin) throw new HttpError(403, text.console.otherOrigin)
  if (headers[CONSOLE_HEADER] === undefined) throw new HttpError(403, text.console.noHeader)
}

/** Returns who is at the other end, for limits and the audit log. */
export function callerOf(request: IncomingMessage, parts: WebConsoleParts): Caller {
  return {
    address: callerAddress(request, parts.api),
    userAgent: (request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT),
  }
}

/** Returns the same for a browser, with what it keeps of the sign-ins from it. */
export function browserCaller(request: IncomingMessage, by: Reached, parts: WebConsoleParts) {
  return { ...callerOf(request, parts), browser: knownBrowserMark(request, by) }
}

/** Returns the session that a request carries, if it still holds. */
export function sessionOf(
  request: IncomingMessage,
  by: Reached,
  { people }: WebConsoleParts,
): Session | undefined {
  const token = sessionToken(request, by)
  return token === undefined ? undefined : people.find(token)
}

export interface WebConsoleParts {
  readonly config: ConsoleConfig
  readonly api: Pick<
    ApiContext,
    | ('trustProxy' | 'log' | 'failures' | 'limits' | 'contact' | 'statusToken')
    | ('catalog' | 'updates')
  >
  /** Of the server once it listens. */
  readonly console: () => SharedConsoleContext
  readonly people: People
  readonly notifications: Notifications
  /** For refusals of strangers. */
  readonly holdBack: HoldBack
}
