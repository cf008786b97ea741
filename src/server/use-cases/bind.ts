/** Returns a function that binds a use case to the parts that it works with. */
export function bindTo<Parts>(parts: Parts) {
  return <Args extends readonly unknown[], Result>(
    useCase: (parts: Parts, ...args: Args) => Result,
  ) =>
    (...args: Args): Result =>
      useCase(parts, ...args)
}
