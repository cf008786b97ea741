/** A union of facts, each with its code, made of what belongs to each code. */
export type Coded<Facts> = {
  [Code in keyof Facts]: { readonly code: Code } & Readonly<Facts[Code]>
}[keyof Facts]

/** What is said of facts, by their code. */
export type Sentences<Facts extends { readonly code: string }> = {
  readonly [Code in Facts['code']]: Say<Extract<Facts, { readonly code: Code }>>
}

/** Written as a method: `say` calls it with facts of whose code the compiler does not know that it is the right one. */
type Say<Facts> = { say(facts: Facts): string }['say']

/** Returns what a table says of facts. */
export function say<Facts extends { readonly code: string }>(
  sentences: Sentences<Facts>,
  facts: Facts,
): string {
  const code: Facts['code'] = facts.code
  const words: Say<Facts> = sentences[code]
  return words(facts)
}

/** Returns the message of a refusal of a part of the input, to which `path` leads; of all of it if that is empty. */
export function at(path: readonly string[], reason: string): string {
  return path.length === 0 ? reason : `${path.join('.')}: ${reason}`
}
