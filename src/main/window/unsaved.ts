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
    message: 'Discard unsaved changes?',
    detail: 'Your draft, or an API key that you have not copied, will be lost.',
    buttons: ['Discard', 'Cancel'],
    defaultId: KEEP,
    cancelId: KEEP,
    noLink: true,
  })
  return answer === DISCARD
}
