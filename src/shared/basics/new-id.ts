let last = 0

/** Returns an id that nothing else in this page has. Not `crypto.randomUUID`, which plain HTTP does not have. */
export function newId(): string {
  last += 1
  return `id-${last}`
}
