import { type BrowserWindow, dialog } from 'electron'

const DISCARD = 0
const KEEP = 1

/**
 * Asks whether what a form of the page holds may be lost. Waits for the answer: Electron wants it
 * at once. The server, a process of its own, goes on meanwhile.
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
