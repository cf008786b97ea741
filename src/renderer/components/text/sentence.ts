/** Returns a reason such as `must not be empty` as a sentence, to stand alone beside its field. */
export function sentence(reason: string): string {
  const text = reason.charAt(0).toUpperCase() + reason.slice(1)
  return /[.?]$/.test(text) ? text : `${text}.`
}

/** Returns what was typed one a line or between commas. */
export function entriesOf(typed: string): string[] {
  const lines = typed.split(/[\n,]/).map((line) => line.trim())
  return lines.filter((line) => line !== '')
}
