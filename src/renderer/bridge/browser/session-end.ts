/** Who wants to know that the server no longer accepts the session of this page. */
const listeners = new Set<() => void>()
/** Who wants to know that the person has other roles now. */
const accessListeners = new Set<() => void>()

/** Reports that the server no longer accepts the session. */
export function noticeSignedOut(): void {
  for (const listener of listeners) listener()
}

/** Calls `listener` whenever the session has ended. Returns what ends that. */
export function onSignedOut(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Reports that the roles of the person have changed. */
export function noticeAccessChanged(): void {
  for (const listener of accessListeners) listener()
}

/** Calls `listener` whenever the roles of the person have changed. Returns what ends that. */
export function onAccessChanged(listener: () => void): () => void {
  accessListeners.add(listener)
  return () => accessListeners.delete(listener)
}
