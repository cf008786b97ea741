import { listeners } from '../listeners.ts'

/** Reports, and hears, that the server no longer accepts the session of this page. */
export const { tell: noticeSignedOut, listen: onSignedOut } = listeners()

/** The same of other roles of the person. */
export const { tell: noticeAccessChanged, listen: onAccessChanged } = listeners()

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
