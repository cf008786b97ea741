import { type BrowserWindow, dialog } from 'electron'
import { text } from '../strings.ts'

const words = text.unsaved

const DISCARD = 0
const KEEP = 1

/**
 * Asks whether the input in a form of the page may be discarded, and returns the answer. Blocks the main
 * process, because Electron needs the answer synchronously; the server process keeps running.
 */
export function discards(window: BrowserWindow): boolean {
  const answer = dialog.showMessageBoxSync(window, {
    type: 'warning',
    title: words.title,
    message: words.message,
    detail: words.detail,
    buttons: [words.discard, words.cancel],
    defaultId: KEEP,
    cancelId: KEEP,
    noLink: true,
  })
  return answer === DISCARD
}
