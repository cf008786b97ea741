/** A union of facts, each with its code, made of what belongs to each code. */
export type Coded<Facts> = {
  [Code in keyof Facts]: { readonly code: Code } & Readonly<Facts[Code]>
}[keyof Facts]
