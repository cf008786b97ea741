import { isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'

/** The name or address in a `Host` field, in lower case and without its port (RFC 9110 section 7.2). */
export function nameInHost(host: string): string | undefined {
  const [, bracketed, plain] = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::\d{1,5})?$/i.exec(host) ?? []
  return (bracketed ?? plain)?.toLowerCase()
}

/** Whether a name is this computer's own: its host name, alone or in `.local`, or one of its addresses. */
export function isOwnName(name: string): boolean {
  const own = hostname().toLowerCase()
  if (name === own || name === `${own.split('.')[0]}.local`) return true
  if (isIP(name) === 0) return false
  return Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => address === name),
  )
}
