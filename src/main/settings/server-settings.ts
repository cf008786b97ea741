import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { PathIssue, TlsReport } from '../../shared/console/path-issue.ts'
import type {
  SettingsChange,
  SettingsSaved,
  SettingsView,
  TlsFiles,
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
      const issue = this.#issue(kind, files[field], saved?.[field])
      if (issue !== undefined) return { ok: false, field, issue }
    }
    return checkTlsFiles(files)
  }

  /** Saves the sections if they can be used, and restarts the server if anything changed. */
  async save(change: SettingsChange): Promise<SettingsSaved> {
    const refused = await this.#issueOf(change)
    if (refused !== undefined) return { ok: false, ...refused }
    const restarts = this.#parts.file.setServer(change)
    if (restarts) this.#parts.restart()
    return { ok: true, restarts }
  }

  async #issueOf({
    security,
    data,
  }: SettingsChange): Promise<{ field: string; issue: PathIssue } | undefined> {
    if (security?.tls) {
      const report = await this.checkTls(security.tls)
      if (!report.ok) {
        return { field: `security.tls.${report.field}`, issue: report.issue }
      }
      if (Date.parse(report.expiresAt) <= Date.now()) {
        const issue = { code: 'expired', expiresAt: report.expiresAt } as const
        return { field: 'security.tls.certFile', issue }
      }
    }
    const folder = data?.backups.folder ?? null
    if (folder === null) return undefined
    const saved = this.#parts.file.server.data.backups.folder
    const issue = this.#issue('folder', folder, saved) ?? (await folderIssue(folder))
    return issue && { field: 'data.backups.folder', issue }
  }

  /** A path that the person chose, now or earlier, can be anywhere. */
  #issue(kind: PathKind, path: string, saved: string | null | undefined): PathIssue | undefined {
    const isChosen = path === saved || this.#parts.chosen.has(kind, path)
    return isChosen ? undefined : pathIssue(path, process.platform)
  }
}

async function folderIssue(folder: string): Promise<PathIssue | undefined> {
  try {
    await makeFolder(folder)
    await access(folder, constants.R_OK | constants.W_OK)
    return undefined
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    return { code: 'unusable_folder', detail }
  }
}
