/** Returns a record with the same names, each with what `map` makes of its value and name. */
export function mapEach<Name extends string, From, To>(
  each: Readonly<Record<Name, From>>,
  map: (value: From, name: Name) => To,
): Record<Name, To>
export function mapEach(
  each: Readonly<Record<string, unknown>>,
  map: (value: unknown, name: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(each).map(([name, value]) => [name, map(value, name)]))
}

/** Returns the names of a record, in its order. */
export function namesOf<Name extends string>(each: Readonly<Record<Name, unknown>>): Name[]
export function namesOf(each: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(each)
}
