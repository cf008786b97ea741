import { MAX_WEBHOOK_URL } from '../../../shared/events/webhook.ts'
import { invalid, Refusal } from '../../catalog/errors.ts'
import { isAllowedPrivate, isPublicAddress, literalAddress } from '../address-guard.ts'

/**
 * Returns the URL of a webhook as it is stored. `privateHosts`: see `isAllowedPrivate`; null leaves private addresses
 * to the server that sends. What a name resolves to is checked when something is sent. Throws `invalid_input` and
 * `private_address`.
 */
export function requireUrl(text: string, privateHosts: readonly string[] | null): string {
  const url = URL.parse(text.trim())
  const path = ['url']
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw invalid({ path, reason: 'must be an http or https URL' })
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid({ path, reason: 'must not contain a user name or password' })
  }
  if (url.href.length > MAX_WEBHOOK_URL) {
    throw invalid({ path, reason: `must be at most ${MAX_WEBHOOK_URL} characters` })
  }
  const literal = literalAddress(url)
  if (privateHosts !== null && literal !== undefined && !isPublicAddress(literal)) {
    if (!isAllowedPrivate(url, privateHosts)) {
      throw new Refusal({ code: 'private_address', path, host: url.host })
    }
  }
  url.hash = ''
  return url.href
}
