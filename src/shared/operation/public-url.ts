import { z } from 'zod'

/** A base address that a path can be appended to; without a slash at its end. */
export const PublicUrl = z
  .url({ protocol: /^https?$/, error: 'must be an absolute http or https address' })
  .max(512, 'must be at most 512 characters')
  .refine((url) => !/[?#@\s]/.test(url), { message: 'must have no query, fragment or user' })
  .transform((url) => url.replace(/\/+$/, ''))

/** Returns whether a trusted proxy is a range of all addresses, such as `0.0.0.0/0`: any client could fake its own. */
export function includesEveryAddress(proxy: string): boolean {
  const [, prefix] = proxy.split('/')
  return prefix !== undefined && /^(0+|0\.0\.0\.0)$/.test(prefix)
}
