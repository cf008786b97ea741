import { BrowserWindow, dialog, type OpenDialogOptions } from 'electron'
import type { FileKind } from '../shared/console/settings.ts'

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

/** Asks the person for a file. Null where they chose none. */
export function chooseFile(kind: FileKind): Promise<string | null> {
  return choose({ ...DIALOGS[kind], properties: ['openFile'] })
}

/** Asks the person for a folder. Null where they chose none. */
export function chooseFolder(): Promise<string | null> {
  const title = 'Choose a folder for backups'
  return choose({ title, properties: ['openDirectory', 'createDirectory'] })
}

async function choose(options: OpenDialogOptions): Promise<string | null> {
  const [window] = BrowserWindow.getAllWindows()
  const { canceled, filePaths } =
    window === undefined
      ? await dialog.showOpenDialog(options)
      : await dialog.showOpenDialog(window, options)
  return canceled ? null : (filePaths[0] ?? null)
}
