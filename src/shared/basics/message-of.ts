/** Returns what an error says, or what was thrown in place of an error, as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
