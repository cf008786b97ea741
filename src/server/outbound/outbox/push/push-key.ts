import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'

/** Milliseconds that a token is valid (RFC 8292, section 2: at most 24 hours). */
const VALID = 12 * 3_600_000

/** Draws the key that identifies a server to push services (RFC 8292): a private key on P-256, as a JWK. */
export function drawPushKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return JSON.stringify(privateKey.export({ format: 'jwk' }))
}

/** Returns the public part of a key, as browsers take it: an uncompressed point, base64url. */
export function publicPushKey(key: string): string {
  const { x = '', y = '' }: JsonWebKey = JSON.parse(key)
  const [head, ...point] = [Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]
  return Buffer.concat([head, ...point]).toString('base64url')
}

/** Returns `Authorization` for a push service (RFC 8292, section 3). `contact`: an https or mailto address. `now`: Unix milliseconds. */
export function authorizationFor(endpoint: URL, key: string, contact: string, now: number): string {
  const json = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { aud: endpoint.origin, exp: Math.floor((now + VALID) / 1_000), sub: contact }
  const signed = `${json({ typ: 'JWT', alg: 'ES256' })}.${json(claims)}`
  const privateKey = createPrivateKey({ key: JSON.parse(key), format: 'jwk' })
  const signature = sign('sha256', Buffer.from(signed), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
  })
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicPushKey(key)}`
}

/**
 * The push services of browsers: of Chrome and its relatives, of Firefox, of Edge, and of Safari. Whoever can sign in chooses
 * where push notifications go, so the server sends to nobody else.
 */
const OF_BROWSERS = [
  'fcm.googleapis.com',
  'updates.push.services.mozilla.com',
  '*.notify.windows.com',
  '*.push.apple.com',
]

/** Returns whether the server sends to an endpoint: HTTPS, and a browser's push service or one of `hosts` (with or without a port). */
export function isPushService(
  { protocol, hostname, host, port, username }: URL,
  hosts: readonly string[],
): boolean {
  if (protocol !== 'https:' || username !== '') return false
  if (hosts.includes(hostname) || hosts.includes(host)) return true
  if (port !== '') return false
  return OF_BROWSERS.some((service) =>
    service.startsWith('*.') ? hostname.endsWith(service.slice(1)) : hostname === service,
  )
}
