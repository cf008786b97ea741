import { type BrowserWindow, dialog } from 'electron'

const DISCARD = 0
const KEEP = 1

/**
 * Asks whether what the page holds and nobody saved may be lost. Waits for the answer: Electron wants it
 * at once. The server, a process of its own, goes on meanwhile.
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
