import type { Catalog } from '../catalog/catalog.ts'

export interface WithCatalog {
  readonly catalog: Catalog
}

/** A use case, with the parts that it works with as its first argument. */
type UseCases<Parts> = Readonly<Record<string, (parts: Parts, ...args: never[]) => unknown>>

type Bound<Of> = {
  readonly [Name in keyof Of]: Of[Name] extends (parts: never, ...args: infer Args) => infer Result
    ? (...args: Args) => Result
    : never
}

/** Returns use cases under the same names, each bound to the parts that it works with. */
export function bindAll<Parts, Of extends UseCases<Parts>>(parts: Parts, useCases: Of): Bound<Of>
export function bindAll<Parts>(parts: Parts, useCases: UseCases<Parts>): object {
  const bound = Object.entries(useCases).map(
    ([name, useCase]) => [name, (...args: never[]) => useCase(parts, ...args)] as const,
  )
  return Object.fromEntries(bound)
}
