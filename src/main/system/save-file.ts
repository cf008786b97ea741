import { extname } from 'node:path'
import { BrowserWindow, dialog, type SaveDialogOptions } from 'electron'
import type { FileToSave, SaveOutcome } from '../../shared/console/shell.ts'
import { oneDialog } from './one-dialog.ts'
import { writeFailure, writeWhole } from './write-whole.ts'

/** Asks the person where a text goes and writes it there. That they cancel is no failure. */
export async function saveFile({ suggestedName, text }: FileToSave): Promise<SaveOutcome> {
  const ending = extname(suggestedName).slice(1)
  const options: SaveDialogOptions = {
    defaultPath: suggestedName,
    filters: [{ name: ending.toUpperCase(), extensions: [ending] }],
  }
  const window = BrowserWindow.getFocusedWindow()
  const { canceled, filePath } = await oneDialog(
    () =>
      window === null ? dialog.showSaveDialog(options) : dialog.showSaveDialog(window, options),
    { canceled: true, filePath: '' },
  )
  if (canceled || filePath === '') return { outcome: 'cancelled' }
  try {
    await writeWhole(filePath, text)
    return { outcome: 'saved', path: filePath }
  } catch (error) {
    return { outcome: 'failed', message: writeFailure(filePath, error) }
  }
}
