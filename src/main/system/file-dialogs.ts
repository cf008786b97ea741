import { extname } from 'node:path'
import { BrowserWindow, dialog, type OpenDialogOptions, type SaveDialogOptions } from 'electron'
import type { FileToSave, SaveOutcome } from '../../shared/console/desktop/shell.ts'
import type { FileKind, FolderKind } from '../../shared/console/settings/settings.ts'
import type { ChosenPaths, PathKind } from '../settings/paths.ts'
import { text as words } from '../strings.ts'
import { writeAtomically, writeFailure } from './write-atomically.ts'

const PEM = [
  { name: words.dialogs.pem, extensions: ['pem', 'crt', 'cer', 'key'] },
  { name: words.dialogs.allFiles, extensions: ['*'] },
]
const DATABASE = [
  { name: words.dialogs.backup, extensions: ['db'] },
  { name: words.dialogs.allFiles, extensions: ['*'] },
]

const DIALOGS: Readonly<Record<FileKind, OpenDialogOptions>> = {
  certificate: { title: words.dialogs.chooseCertificate, filters: PEM },
  key: { title: words.dialogs.chooseKey, filters: PEM },
  backup: { title: words.dialogs.chooseBackup, filters: DATABASE },
}

/** Asks the person for a file. Returns null if they chose none or a dialog is already open. */
export function chooseFile(kind: FileKind, chosen: ChosenPaths): Promise<string | null> {
  return choose(kind, { ...DIALOGS[kind], properties: ['openFile'] }, chosen)
}

/** Asks the person for a folder. Returns null if they chose none or a dialog is already open. */
export function chooseFolder(kind: FolderKind, chosen: ChosenPaths): Promise<string | null> {
  const title = words.dialogs.chooseFolder[kind]
  return choose(kind, { title, properties: ['openDirectory', 'createDirectory'] }, chosen)
}

async function choose(
  kind: PathKind,
  options: OpenDialogOptions,
  chosen: ChosenPaths,
): Promise<string | null> {
  const path = await oneDialog(() => ask(options), null)
  if (path !== null) chosen.add(kind, path)
  return path
}

async function ask(options: OpenDialogOptions): Promise<string | null> {
  const [window] = BrowserWindow.getAllWindows()
  const { canceled, filePaths } =
    window === undefined
      ? await dialog.showOpenDialog(options)
      : await dialog.showOpenDialog(window, options)
  return canceled ? null : (filePaths[0] ?? null)
}

/** Asks the person where to save a text, and writes it there. Never rejects; canceling is not a failure. */
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
    await writeAtomically(filePath, text)
    return { outcome: 'saved', path: filePath }
  } catch (error) {
    return { outcome: 'failed', failure: writeFailure(filePath, error) }
  }
}

let isOpen = false

/**
 * Opens a system dialog; returns `busy` while another one is open. Otherwise a page could cover the
 * screen with dialogs.
 */
async function oneDialog<Answer>(ask: () => Promise<Answer>, busy: Answer): Promise<Answer> {
  if (isOpen) return busy
  isOpen = true
  try {
    return await ask()
  } finally {
    isOpen = false
  }
}
