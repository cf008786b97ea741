import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseCookie, stringifySetCookie } from 'cookie'
import { SESSION_COOKIE } from '../../shared/console/web.ts'
import type { Reached } from './exposure.ts'

/**
 * The name of the cookie that carries a session. Under TLS the prefix `__Host-` keeps other hosts of the domain
 * from setting it (RFC 6265bis, section 4.1.3.2).
 */
function nameOf({ secure }: Reached): string {
  return secure ? `__Host-${SESSION_COOKIE}` : SESSION_COOKIE
}

/** Returns the token of the session that a request carries, if any. */
export function sessionToken(
  { headers }: Pick<IncomingMessage, 'headers'>,
  reached: Reached,
): string | undefined {
  return parseCookie(headers.cookie ?? '')[nameOf(reached)]
}

/** Gives the browser a session's token, or takes it away (`null`). `expiresAt`: ISO 8601. */
export function setSessionCookie(
  response: ServerResponse,
  reached: Reached,
  session: { readonly token: string; readonly expiresAt: string } | null,
): void {
  const cookie = stringifySetCookie({
    name: nameOf(reached),
    value: session?.token ?? '',
    path: '/',
    httpOnly: true,
    secure: reached.secure,
    sameSite: 'strict',
    expires: new Date(session?.expiresAt ?? 0),
  })
  response.appendHeader('Set-Cookie', cookie)
}

/** Seconds that a person has to sign in at the provider. */
const SIGN_ON_TIME = 600

function stateName({ secure }: Reached): string {
  return secure ? '__Host-tidegate-sign-on' : 'tidegate-sign-on'
}

/** Returns the state with which this browser was sent to the identity provider, if it was. */
export function signOnState(
  { headers }: Pick<IncomingMessage, 'headers'>,
  reached: Reached,
): string | undefined {
  return parseCookie(headers.cookie ?? '')[stateName(reached)]
}

/**
 * Keeps the state of a sign-in at the identity provider, or forgets it (`null`). `SameSite=Lax`, because the
 * provider's redirect back is a navigation from another site.
 */
export function setSignOnState(
  response: ServerResponse,
  reached: Reached,
  state: string | null,
): void {
  const cookie = stringifySetCookie({
    name: stateName(reached),
    value: state ?? '',
    path: '/',
    httpOnly: true,
    secure: reached.secure,
    sameSite: 'lax',
    maxAge: state === null ? 0 : SIGN_ON_TIME,
  })
  response.appendHeader('Set-Cookie', cookie)
}
