/** A header that only the console's own page sends: another origin would need permission to (Fetch, CORS preflight). */
export const CONSOLE_HEADER = 'tidegate-console'

/** The name of a call that can be repeated, which is carried out once (draft-ietf-httpapi-idempotency-key-header). */
export const CALL_KEY_HEADER = 'idempotency-key'
/** Of a repeat: the milliseconds since the first attempt. */
export const CALL_AGE_HEADER = 'tidegate-call-age'

/** The protocol that is spoken over the live connection (RFC 6455, section 1.9). */
export const LIVE_PROTOCOL = 'tidegate-console.v1'

/**
 * The code with which the server closes a live connection that is to be opened again at once (1012, "Service
 * Restart", of the IANA registry of close codes): the roles of its account have changed.
 */
export const CONNECT_AGAIN = 1_012

/**
 * The code with which the server closes a live connection while it has lost contact with its database (RFC 6455, 7.4.2):
 * it answers again when it is back, or another server does.
 */
export const OUT_OF_CONTACT = 4503

/** The code with which the server closes the live connection of a session that has ended (RFC 6455, 7.4.2). */
export const SESSION_ENDED = 4401

/** The name of the cookie that carries a session, after the prefix that it has under TLS. */
export const SESSION_COOKIE = 'tidegate-session'

/** The name of the cookie that says that somebody has signed in from the browser before. */
export const BROWSER_COOKIE = 'tidegate-browser'

/** The name of the cookie that carries the code of a console for its own computer only. */
export const CODE_COOKIE = 'tidegate-code'

/** Returns the full name of a cookie: under TLS, `__Host-` keeps other hosts of the domain from setting it (RFC 6265bis, 4.1.3.2). */
export function cookieName(name: string, isEncrypted: boolean): string {
  return isEncrypted ? `__Host-${name}` : name
}

/** Returns the content security policy of the console's page. `more`: what it may have besides its own files. */
export function pagePolicy(...more: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    // Mantine sets sizes and colors in style attributes and style elements.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    ...more,
  ].join('; ')
}
