import { isIP } from 'node:net'

/** An address that a server is reached under. */
export interface ServerAddress {
  /** Without a slash at its end; with the path that a proxy puts before the console's. */
  readonly url: string
  readonly isEncrypted: boolean
  /** Whether it is this computer, so that nobody else can listen in. */
  readonly isLoopback: boolean
}

/**
 * Reads the address of a server as a person types or copies it: with or without a scheme, and with the path of the
 * console or the API, whatever follows it. Undefined if it is none.
 */
export function readAddress(typed: string): ServerAddress | undefined {
  const text = typed.trim()
  const isSchemed = /^[a-z][a-z\d+.-]*:\/\//i.test(text)
  const guess = `https://${text}`
  const address = isSchemed ? text : guess
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  const isLoopback = isLoopbackName(url.hostname)
  // A server of this computer has no certificate, usually.
  if (!isSchemed && isLoopback) url.protocol = 'http:'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined
  if (url.username !== '' || url.password !== '') return undefined
  const path = url.pathname.replace(/\/(?:console|api\/v1)(?:\/.*)?$/, '').replace(/\/+$/, '')
  return { url: `${url.origin}${path}`, isEncrypted: url.protocol === 'https:', isLoopback }
}

function isLoopbackName(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, '')
  if (name === 'localhost' || name.endsWith('.localhost') || name === '::1') return true
  return isIP(name) === 4 && name.startsWith('127.')
}
