/** A string with the colon that makes it a name, or what begins or ends an array or object. */
const PARTS = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|([[{])|[\]}]/g

/**
 * Returns the fields that an object has more than once, in the order of their second appearance. `JSON.parse` keeps the
 * last of them and does not tell. `json` must be valid JSON: only then is every colon after a string that of a name.
 */
export function repeatedFields(json: string): readonly string[] {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  let depth = 0
  for (const [, string, colon, opening] of json.matchAll(PARTS)) {
    if (string === undefined) depth += opening === undefined ? -1 : 1
    else if (colon !== undefined && depth === 1) {
      // Escapes write the same name in another way.
      const field = String(JSON.parse(string))
      if (seen.has(field)) repeated.add(field)
      seen.add(field)
    }
  }
  return [...repeated]
}
