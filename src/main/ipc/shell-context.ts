import { initTRPC } from '@trpc/server'
import type { FileKind, FolderKind } from '../../shared/console/settings.ts'
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
import type { BackupService } from '../settings/backup-service.ts'
import type { ServerSettingsService } from '../settings/server-settings.ts'
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
  readonly settings: Pick<ServerSettingsService, 'view' | 'save' | 'discardNotApplied' | 'checkTls'>
  /** Null if the person chose none. */
  chooseFile(kind: FileKind): Promise<string | null>
  chooseFolder(kind: FolderKind): Promise<string | null>
  readonly backups: Pick<BackupService, 'inspect' | 'restore'>
  about(): About
  /** Whether a new version of Tidegate is available. */
  versionState(): VersionState
}

/** Routers and procedures over that context. */
const trpc = initTRPC.context<ShellContext>().create()

export const { router, procedure } = trpc
