import { BrowserWindow, dialog, type OpenDialogOptions } from 'electron'
import type { FileKind } from '../../shared/console/settings.ts'
import type { ChosenPaths, PathKind } from '../settings/chosen-paths.ts'
import { oneDialog } from './one-dialog.ts'

const PEM = [
  { name: 'PEM', extensions: ['pem', 'crt', 'cer', 'key'] },
  { name: 'All files', extensions: ['*'] },
]
const DATABASE = [
  { name: 'Backup', extensions: ['db'] },
  { name: 'All files', extensions: ['*'] },
]

const DIALOGS: Readonly<Record<FileKind, OpenDialogOptions>> = {
  certificate: { title: 'Choose a certificate', filters: PEM },
  key: { title: 'Choose a private key', filters: PEM },
  backup: { title: 'Choose a backup', filters: DATABASE },
}

/** Asks the person for a file. Returns null if they chose none or a dialog is already open. */
export function chooseFile(kind: FileKind, chosen: ChosenPaths): Promise<string | null> {
  return choose(kind, { ...DIALOGS[kind], properties: ['openFile'] }, chosen)
}

/** Asks the person for a folder. Returns null if they chose none or a dialog is already open. */
export function chooseFolder(chosen: ChosenPaths): Promise<string | null> {
  const title = 'Choose a folder for backups'
  return choose('folder', { title, properties: ['openDirectory', 'createDirectory'] }, chosen)
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
