/** Returns a reason behind the path of the member that it concerns: `<path>: <reason>`. */
export function at(path: readonly string[], reason: string): string {
  return `${path.join('.')}: ${reason}`
}
