/** Returns who wants to know of something that can happen again: nobody yet. */
export function listeners() {
  const all = new Set<() => void>()
  return {
    /** Calls `listener` whenever it has happened. Returns what ends that. */
    listen(listener: () => void): () => void {
      all.add(listener)
      return () => all.delete(listener)
    },
    /** Says that it has happened. */
    tell(): void {
      for (const listener of all) listener()
    },
  }
}
