import { hash } from 'node:crypto'

/** The strong ETag of a body. */
export function etagOf(body: string | Buffer): string {
  return `"${hash('sha256', body, 'base64url').slice(0, 27)}"`
}

/**
 * Returns whether `If-None-Match` names the ETag, weak or strong (RFC 9110 section 13.1.2). Express ignores it when the request has
 * `Cache-Control: no-cache`, which `fetch` adds.
 */
export function isKnown(etag: string, ifNoneMatch: string | undefined): boolean {
  const named = ifNoneMatch?.split(',').map((tag) => opaque(tag.trim())) ?? []
  return named.includes(opaque(etag)) || named.includes('*')
}

function opaque(etag: string): string {
  return etag.replace(/^W\//, '')
}
