import { initTRPC } from '@trpc/server'
import type { Inspection, RestoreOutcome } from '../../shared/console/backups.ts'
import type { TlsReport } from '../../shared/console/setting-issue.ts'
import type {
  DiscardedSection,
  FileKind,
  FolderKind,
  SettingsChange,
  SettingsSaved,
  SettingsView,
  TlsFiles,
} from '../../shared/console/settings.ts'
import type {
  About,
  FileToSave,
  MenuCommand,
  Preferences,
  PreferencesChange,
  SaveOutcome,
  VersionState,
} from '../../shared/console/shell.ts'
import type { Servers } from '../servers/servers.ts'
import type { Broadcast } from './broadcast.ts'

/** What the shell's procedures need of the desktop app. */
export interface ShellContext {
  readonly commands: Broadcast<MenuCommand>
  readonly servers: Servers
  /** False if the link may not be opened, or could not. */
  openLink(address: string): Promise<boolean>
  saveFile(file: FileToSave): Promise<SaveOutcome>
  preferences(): Preferences
  setPreferences(change: PreferencesChange): Preferences
  settings(): Promise<SettingsView>
  /** Saves what can be used, and restarts the server if anything differs. */
  saveSettings(change: SettingsChange): Promise<SettingsSaved>
  /** Forgets the settings with which the server did not start. */
  discardNotApplied(discarded: DiscardedSection): void
  checkTls(files: TlsFiles): Promise<TlsReport>
  /** Null if the person chose none. */
  chooseFile(kind: FileKind): Promise<string | null>
  chooseFolder(kind: FolderKind): Promise<string | null>
  inspectBackup(file: string): Promise<Inspection>
  /** Stops the server, restores the file, and starts the server again even if that failed. */
  restoreBackup(file: string): Promise<RestoreOutcome>
  about(): About
  /** Whether a new version of Tidegate is available. */
  versionState(): VersionState
}

/** Routers and procedures over that context. */
const trpc = initTRPC.context<ShellContext>().create()

export const { router, procedure } = trpc
