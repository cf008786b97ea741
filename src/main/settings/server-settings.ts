import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type {
  SettingsChange,
  SettingsSaved,
  SettingsView,
  TlsFiles,
  TlsReport,
} from '../../shared/console/settings.ts'
import { type ChosenPaths, makeFolder, type PathKind, pathIssue } from './paths.ts'
import type { SettingsFile } from './preferences.ts'
import { checkTlsFiles } from './tls-files.ts'

export interface ServerSettingsParts {
  readonly file: SettingsFile
  readonly dataFolder: string
  readonly chosen: ChosenPaths
  /** Restarts the server with the saved settings. */
  restart(): void
}

/** The settings of the server as the page sees and changes them. */
export class ServerSettingsService {
  readonly #parts: ServerSettingsParts

  constructor(parts: ServerSettingsParts) {
    this.#parts = parts
  }

  /** Returns the saved settings, what the TLS files hold, and the default backup folder. */
  async view(): Promise<SettingsView> {
    const { file, dataFolder } = this.#parts
    const settings = file.server
    const { tls } = settings.security
    const usualBackupFolder = join(dataFolder, 'backups')
    return { settings, tls: tls && (await this.checkTls(tls)), usualBackupFolder }
  }

  /** Inspects the two files. A path that must not be accessed is not opened. */
  async checkTls(files: TlsFiles): Promise<TlsReport> {
    const saved = this.#parts.file.server.security.tls
    for (const [field, kind] of [
      ['certFile', 'certificate'] as const,
      ['keyFile', 'key'] as const,
    ]) {
      const message = this.#issue(kind, files[field], saved?.[field])
      if (message !== undefined) return { ok: false, field, message }
    }
    return checkTlsFiles(files)
  }

  /** Saves the sections if they can be used, and restarts the server if anything changed. */
  async save(change: SettingsChange): Promise<SettingsSaved> {
    const issue = await this.#issueOf(change)
    if (issue !== undefined) return { ok: false, ...issue }
    const restarts = this.#parts.file.setServer(change)
    if (restarts) this.#parts.restart()
    return { ok: true, restarts }
  }

  async #issueOf({ security, data }: SettingsChange) {
    if (security?.tls) {
      const report = await this.checkTls(security.tls)
      if (!report.ok) {
        return { field: `security.tls.${report.field}`, message: report.message }
      }
      if (Date.parse(report.expiresAt) <= Date.now()) {
        const message = `expired on ${report.expiresAt.slice(0, 10)}. Choose one that is valid.`
        return { field: 'security.tls.certFile', message }
      }
    }
    const folder = data?.backups.folder ?? null
    if (folder === null) return undefined
    const saved = this.#parts.file.server.data.backups.folder
    const message = this.#issue('folder', folder, saved) ?? (await folderIssue(folder))
    return message === undefined ? undefined : { field: 'data.backups.folder', message }
  }

  /** A path that the person chose, now or earlier, can be anywhere. */
  #issue(kind: PathKind, path: string, saved: string | null | undefined): string | undefined {
    const isChosen = path === saved || this.#parts.chosen.has(kind, path)
    return isChosen ? undefined : pathIssue(path, process.platform)
  }
}

async function folderIssue(folder: string): Promise<string | undefined> {
  try {
    await makeFolder(folder)
    await access(folder, constants.R_OK | constants.W_OK)
    return undefined
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return `cannot be used (${reason}). Choose a folder that this account may write to.`
  }
}
