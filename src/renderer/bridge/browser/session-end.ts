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

/** Under which the browser keeps that somebody was signed in when the page was open last. */
const SIGNED_IN = 'tidegate.signedIn'

/** Keeps whether somebody is signed in, for when the page is opened again. */
export function keepSignedIn(isSignedIn: boolean): void {
  if (isSignedIn) localStorage.setItem(SIGNED_IN, '1')
  else localStorage.removeItem(SIGNED_IN)
}

/** Returns whether somebody was signed in when this browser had the page open last. */
export function wasSignedIn(): boolean {
  return localStorage.getItem(SIGNED_IN) !== null
}
