import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseCookie, type SetCookie, stringifySetCookie } from 'cookie'
import {
  BROWSER_COOKIE,
  CODE_COOKIE,
  cookieName,
  SESSION_COOKIE,
} from '../../shared/console/bridge/web.ts'
import type { Reached } from './exposure.ts'

/** Seconds that a person has to sign in at the provider. */
const SIGN_ON_TIME = 600
/** Seconds that a browser keeps who has signed in from it: as long as browsers keep any cookie (RFC 6265bis, 5.5). */
const KNOWN_TIME = 400 * 24 * 3_600

const SIGN_ON_COOKIE = 'tidegate-sign-on'

/** Returns what reads a cookie of a request. */
function reading(name: string) {
  return ({ headers }: Pick<IncomingMessage, 'headers'>, { secure }: Reached) =>
    parseCookie(headers.cookie ?? '')[cookieName(name, secure)]
}

function write(response: ServerResponse, reached: Reached, { name, ...own }: SetCookie): void {
  const { secure } = reached
  const always = { name: cookieName(name, reached.secure), path: '/', httpOnly: true, secure }
  response.appendHeader('Set-Cookie', stringifySetCookie({ ...always, ...own }))
}

/** Returns the token of the session that a request carries, if any. */
export const sessionToken = reading(SESSION_COOKIE)

/** Gives the browser a session's token, or takes it away (`null`). `expiresAt`: ISO 8601. */
export function setSessionCookie(
  response: ServerResponse,
  reached: Reached,
  session: { readonly token: string; readonly expiresAt: string } | null,
): void {
  const expires = new Date(session?.expiresAt ?? 0)
  const own = { name: SESSION_COOKIE, value: session?.token ?? '', expires }
  write(response, reached, { ...own, sameSite: 'strict' })
}

/** Returns the sealed round trip to the identity provider that this browser is on, if it is. */
export const signOnOf = reading(SIGN_ON_COOKIE)

/** Keeps the sealed round trip to the provider; null forgets it. `SameSite=Lax`: the redirect back comes from another site. */
export function setSignOn(
  response: ServerResponse,
  reached: Reached,
  roundTrip: string | null,
): void {
  const maxAge = roundTrip === null ? 0 : SIGN_ON_TIME
  const own = { name: SIGN_ON_COOKIE, value: roundTrip ?? '', maxAge }
  write(response, reached, { ...own, sameSite: 'lax' })
}

/** Returns what the browser keeps of the sign-ins from it, if there were any: see `markBrowser`. */
export const knownBrowserMark = reading(BROWSER_COOKIE)

/** Keeps that somebody has signed in from this browser; null keeps what it has. It stays when they sign out. */
export function setKnownBrowser(
  response: ServerResponse,
  reached: Reached,
  mark: string | null,
): void {
  if (mark === null) return
  const own = { name: BROWSER_COOKIE, value: mark, maxAge: KNOWN_TIME }
  write(response, reached, { ...own, sameSite: 'strict' })
}

/** Returns the code of the terminal that somebody entered in this browser, if any: see `consoleCode`. */
export const codeOf = reading(CODE_COOKIE)

/** Keeps that code until the browser is closed. */
export function setCode(response: ServerResponse, reached: Reached, code: string): void {
  write(response, reached, { name: CODE_COOKIE, value: code, sameSite: 'strict' })
}
