const SLASH = 0x2f
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i

/**
 * Returns path and query of a request target. The absolute form means the same as its path
 * (RFC 9112 section 3.2.2). Undefined if there is neither, such as in `http://` or `*`.
 */
export function pathOfTarget(target: string): string | undefined {
  if (target.charCodeAt(0) === SLASH) return target
  const [, host, rest = ''] = ABSOLUTE.exec(target) ?? []
  if (host === undefined || host === '') return undefined
  return rest.startsWith('/') ? rest : `/${rest}`
}
