/** `a`, `a and b`, `a, b and c`; with another last word where one is given. */
export function listed(parts: readonly string[], last = 'and'): string {
  if (parts.length < 2) return parts.join('')
  return `${parts.slice(0, -1).join(', ')} ${last} ${parts.at(-1)}`
}

/** A reason such as `must not be empty` as a sentence beside its field. */
export function sentence(reason: string): string {
  const text = reason.charAt(0).toUpperCase() + reason.slice(1)
  return /[.?]$/.test(text) ? text : `${text}.`
}
