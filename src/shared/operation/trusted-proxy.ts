/** Returns whether a trusted proxy is a range of all addresses, such as `0.0.0.0/0`: any client could fake its own. */
export function includesEveryAddress(proxy: string): boolean {
  const [, prefix] = proxy.split('/')
  return prefix !== undefined && /^(0+|0\.0\.0\.0)$/.test(prefix)
}
