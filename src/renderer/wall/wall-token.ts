const ADDRESS = /^#\/wall\/([\w-]{10,100})$/

/** The token of the wall view's link that the page was opened with, if any. It stands behind the #, which no server logs. */
export function wallToken(): string | undefined {
  return ADDRESS.exec(location.hash)?.[1]
}
