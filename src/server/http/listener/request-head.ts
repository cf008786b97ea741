import type { IncomingMessage } from 'node:http'
import { text } from '../strings.ts'

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

/** Maximum header fields of a request. Node would silently drop further ones. */
const MAX_HEADER_FIELDS = 100

/** Returns what is wrong with the head of a request, before any route sees it. */
export function headIssue({ rawHeaders, httpVersion }: IncomingMessage): string | undefined {
  if (rawHeaders.length > MAX_HEADER_FIELDS * 2) {
    return text.request.manyFields(MAX_HEADER_FIELDS)
  }
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  if (hosts > 1) return text.request.manyHosts
  return hosts === 0 && httpVersion === '1.1' ? text.request.noHost : undefined
}
