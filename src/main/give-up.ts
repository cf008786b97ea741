import { app, dialog } from 'electron'

/**
 * Says why the app cannot start, and ends it. Electron itself would go on: without a window, and with
 * the lock that keeps every other start away.
 */
export function giveUp(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  dialog.showErrorBox('Tidegate cannot start', message)
  app.exit(1)
}
