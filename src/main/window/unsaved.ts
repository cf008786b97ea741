import { type BrowserWindow, dialog } from 'electron'

const DISCARD = 0
const KEEP = 1

/**
 * Asks whether the input in a form of the page may be discarded, and returns the answer. Blocks the main
 * process, because Electron needs the answer synchronously; the server process keeps running.
 */
export function discards(window: BrowserWindow): boolean {
  const answer = dialog.showMessageBoxSync(window, {
    type: 'warning',
    title: 'Tidegate',
    message: 'Leave without publishing?',
    detail: 'What was filled in is kept nowhere. It will be gone when this window is left.',
    buttons: ['Discard the release', 'Keep editing'],
    defaultId: KEEP,
    cancelId: KEEP,
    noLink: true,
  })
  return answer === DISCARD
}
