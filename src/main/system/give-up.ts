import { app, dialog } from 'electron'

/**
 * Shows why the app cannot start, and exits. Electron itself would keep running without a window, and its
 * lock would prevent any other start.
 */
export function giveUp(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  dialog.showErrorBox('Tidegate cannot start', message)
  app.exit(1)
}
