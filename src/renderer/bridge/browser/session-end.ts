/** Who wants to know that the server no longer accepts the session of this page. */
const listeners = new Set<() => void>()

/** Reports that the server no longer accepts the session. */
export function noticeSignedOut(): void {
  for (const listener of listeners) listener()
}

/** Calls `listener` whenever the session has ended. Returns what ends that. */
export function onSignedOut(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
