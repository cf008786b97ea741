import { accessSync, constants, mkdirSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { SettingsChange, SettingsSaved, SettingsView } from '../shared/console/settings.ts'
import type { SettingsFile } from './preferences.ts'
import { checkTlsFiles } from './tls-files.ts'

/** The settings of the server as the page sees and changes them. */
export class ServerSettingsDesk {
  readonly #file: SettingsFile
  readonly #dataFolder: string
  readonly #restart: () => void

  /** `restart`: runs the server with what is saved now. */
  constructor(file: SettingsFile, dataFolder: string, restart: () => void) {
    this.#file = file
    this.#dataFolder = dataFolder
    this.#restart = restart
  }

  view(): SettingsView {
    const settings = this.#file.server
    const { tls } = settings.security
    const usualBackupFolder = join(this.#dataFolder, 'backups')
    return { settings, tls: tls && checkTlsFiles(tls), usualBackupFolder }
  }

  /** Saves what can be used, and restarts the server where anything differs. */
  save(change: SettingsChange): SettingsSaved {
    const fault = faultOf(change)
    if (fault !== undefined) return { ok: false, ...fault }
    const restarts = this.#file.setServer(change)
    if (restarts) this.#restart()
    return { ok: true, restarts }
  }
}

function faultOf({ security, data }: SettingsChange) {
  if (security?.tls) {
    const report = checkTlsFiles(security.tls)
    if (!report.ok) {
      return { field: `security.tls.${report.field}`, message: report.message }
    }
    if (Date.parse(report.expiresAt) <= Date.now()) {
      const message = `expired on ${report.expiresAt.slice(0, 10)}. Choose one that is valid.`
      return { field: 'security.tls.certFile', message }
    }
  }
  const folder = data?.backups.folder ?? null
  const message = folder === null ? undefined : folderFault(folder)
  return message === undefined ? undefined : { field: 'data.backups.folder', message }
}

function folderFault(folder: string): string | undefined {
  if (!isAbsolute(folder)) return 'must be a whole path. Choose a folder.'
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.R_OK | constants.W_OK)
    return undefined
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return `cannot be used (${reason}). Choose a folder that this account may write to.`
  }
}
