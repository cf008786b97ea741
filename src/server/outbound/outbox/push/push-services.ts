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

/**
 * Returns whether the server sends to an endpoint: over HTTPS, on the usual port of a push service of browsers, or where an
 * administrator allows it. `hosts`: names and addresses beside those, each with or without a port.
 */
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
