import { randomUUID } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { createServer, isIP } from 'node:net'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { messageOf } from '../../shared/basics/message-of.ts'
import type {
  PathIssue,
  SettingIssue,
  TlsReport,
} from '../../shared/console/settings/setting-issue.ts'
import type {
  Address,
  DiscardedSection,
  FolderKind,
  SettingsChange,
  SettingsSaved,
  SettingsView,
  TlsFiles,
} from '../../shared/console/settings/settings.ts'
import { listenFailure } from '../../shared/operation/start-failure.ts'
import {
  type ChosenPaths,
  makeFolder,
  type PathKind,
  pathIssue,
  usualBackupFolder,
  usualFilesFolder,
} from './paths.ts'
import type { SettingsFile } from './settings-file.ts'
import { checkTlsFiles } from './tls-files.ts'

/** What is wrong with a setting, and which one it is, by its path. */
interface FieldIssue {
  readonly field: string
  readonly issue: SettingIssue
}

export interface ServerSettingsParts {
  readonly file: SettingsFile
  readonly dataFolder: string
  readonly chosen: ChosenPaths
  /** Returns the port that the server listens on; undefined if it does not run. */
  portInUse(): number | undefined
  /** Restarts the server with the saved settings. */
  restart(): void
}

/** The settings of the server as the page sees and changes them. */
export class ServerSettingsService {
  readonly #parts: ServerSettingsParts

  constructor(parts: ServerSettingsParts) {
    this.#parts = parts
  }

  /** Returns the saved settings, what the TLS files hold, and the default folders. */
  async view(): Promise<SettingsView> {
    const { file, dataFolder } = this.#parts
    const settings = file.server
    const { tls } = settings.security
    return {
      settings,
      notApplied: file.notApplied,
      tls: tls && (await this.checkTls(tls)),
      usualBackupFolder: usualBackupFolder(dataFolder),
      usualFilesFolder: usualFilesFolder(dataFolder),
    }
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

  /** Forgets the settings with which the server did not start. */
  discardNotApplied(discarded: DiscardedSection): void {
    this.#parts.file.discardNotApplied(discarded)
  }

  /** Also checks what does not change: the restart would fail all the same. */
  async #issueOf({
    address,
    security,
    data,
    files,
  }: SettingsChange): Promise<FieldIssue | undefined> {
    const { server } = this.#parts.file
    const addressIssue = address && (await this.#addressIssue(address, server.address))
    if (addressIssue !== undefined) return addressIssue
    const { tls } = security ?? server.security
    const tlsIssue = tls && (await this.#tlsIssue(tls, security !== undefined))
    if (tlsIssue) return tlsIssue
    const backups = data?.backups.folder ?? null
    const backupIssue = await this.#folderIssue('backups', backups, server.data.backups.folder)
    if (backupIssue !== undefined) return { field: 'data.backups.folder', issue: backupIssue }
    const stored = files?.isOn === true ? files.folder : null
    const issue = await this.#folderIssue('files', stored, server.files.folder)
    return issue && { field: 'files.folder', issue }
  }

  async #folderIssue(
    kind: FolderKind,
    folder: string | null,
    saved: string | null,
  ): Promise<PathIssue | undefined> {
    if (folder === null) return undefined
    return this.#issue(kind, folder, saved) ?? (await folderIssue(folder))
  }

  async #addressIssue(address: Address, saved: Address): Promise<FieldIssue | undefined> {
    const portInUse = this.#parts.portInUse()
    if (portInUse !== undefined && isDeepStrictEqual(address, saved)) return undefined
    // The server itself listens on its port until it is restarted.
    const port = address.port === portInUse ? 0 : address.port
    const issue = await probeAddress({ host: address.host, port })
    if (issue === undefined) return undefined
    const isOfPort = issue.code === 'port_in_use' || issue.code === 'port_forbidden'
    return { field: isOfPort ? 'address.port' : 'address.host', issue }
  }

  /** A certificate that expired while it is used does not keep the server from starting. */
  async #tlsIssue(files: TlsFiles, isChange: boolean): Promise<FieldIssue | undefined> {
    const report = await this.checkTls(files)
    if (!report.ok) return { field: `security.tls.${report.field}`, issue: report.issue }
    if (!isChange || Date.parse(report.expiresAt) > Date.now()) return undefined
    const issue = { code: 'expired', expiresAt: report.expiresAt } as const
    return { field: 'security.tls.certFile', issue }
  }

  /** A path that the person chose, now or earlier, can be anywhere. */
  #issue(kind: PathKind, path: string, saved: string | null | undefined): PathIssue | undefined {
    const isChosen = path === saved || this.#parts.chosen.has(kind, path)
    return isChosen ? undefined : pathIssue(path, process.platform)
  }
}

async function folderIssue(folder: string): Promise<PathIssue | undefined> {
  // Permissions are not enough: the disk may be full or read-only.
  const probe = join(folder, `.tidegate-${randomUUID()}`)
  try {
    await makeFolder(folder)
    await writeFile(probe, 'x', { flag: 'wx' })
    return undefined
  } catch (error) {
    const detail = messageOf(error)
    return { code: 'unusable_folder', detail }
  } finally {
    // A full disk leaves an empty file.
    await rm(probe, { force: true }).catch(() => {})
  }
}

/** Milliseconds that the resolver has for a name. */
const LOOKUP_TIME = 5_000

/** Listens at an address for a moment, and returns why that is not possible; undefined if it is. */
export async function probeAddress({ host, port }: Address): Promise<SettingIssue | undefined> {
  const ip = isIP(host) === 0 ? await resolve(host) : host
  if (ip === undefined) return { code: 'unknown_address', host }
  const probe = createServer()
  try {
    probe.listen({ host: ip, port })
    await once(probe, 'listening')
    return undefined
  } catch (error) {
    const detail = messageOf(error)
    return listenFailure(error, { host, port }) ?? { code: 'unusable_address', detail }
  } finally {
    probe.close()
  }
}

async function resolve(name: string): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((done) => {
    timer = setTimeout(() => done(undefined), LOOKUP_TIME)
  })
  const found = lookup(name).then(
    ({ address }) => address,
    () => undefined,
  )
  try {
    return await Promise.race([found, late])
  } finally {
    clearTimeout(timer)
  }
}
