import { hash } from 'node:crypto'

/** The strong ETag of a body. */
export function etagOf(body: string | Buffer): string {
  return `"${hash('sha256', body, 'base64url').slice(0, 27)}"`
}

/**
 * Returns whether `If-None-Match` names the ETag. Express would not look at it next to
 * `Cache-Control: no-cache`, which `fetch` adds by itself.
 */
export function isKnown(etag: string, ifNoneMatch: string | undefined): boolean {
  const named = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return named.includes(etag) || named.includes('*')
}
