/**
 * Returns a function that answers with the result of `ask`, asked again once it is `age` milliseconds old. All callers
 * share it, so that they cost no more than one.
 */
export function aged<Result>(age: number, ask: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined
  let askedAt = 0
  return () => {
    const now = performance.now()
    if (result === undefined || now - askedAt >= age) {
      askedAt = now
      result = ask()
    }
    return result
  }
}
