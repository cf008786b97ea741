import { callTRPCProcedure, initTRPC, TRPCError } from '@trpc/server'
import { z } from 'zod'
import { RemoteCallError } from '../../remote/connection-error.ts'
import {
  type Procedures,
  procedureCall,
  requestIssue,
} from '../../shared/console/bridge/procedures.ts'
import {
  AddOutcome,
  Fingerprint,
  RemoteServer,
  RemoteSignIn,
  ServerToAdd,
} from '../../shared/console/desktop/remote-servers.ts'
import {
  About,
  FileToSave,
  type MenuCommand,
  Preferences,
  PreferencesChange,
  SaveOutcome,
  VersionState,
} from '../../shared/console/desktop/shell.ts'
import { Inspection, RestoreOutcome } from '../../shared/console/settings/backups.ts'
import { TlsReport } from '../../shared/console/settings/setting-issue.ts'
import {
  DiscardedSection,
  FileKind,
  FolderKind,
  SettingsChange,
  SettingsSaved,
  SettingsView,
  TlsFiles,
} from '../../shared/console/settings/settings.ts'
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

const { id, name, color } = RemoteServer.shape
const AccountName = z.string().min(1).max(256)
/** The code of a console for its own computer only; null for none. */
const Code = z.string().max(100).nullable()
const SecondFactorAnswer = z.union([
  z.strictObject({ totp: z.string().max(20) }),
  z.strictObject({ recoveryCode: z.string().max(40) }),
])

/** The servers that the desktop app connects to beside its own, as `shell.servers.*`. */
const serversRouter = router({
  /** Begins with the servers as they are. */
  view: procedure.subscription(({ ctx, signal }) => ctx.servers.followView(signal)),
  /** Whether sessions are stored, encrypted by the system; else they end with the app. */
  keepsSessions: procedure.output(z.boolean()).query(({ ctx }) => ctx.servers.keepsSessions()),
  /** Adds a server, or returns what the person has to decide first. */
  add: procedure
    .input(ServerToAdd)
    .output(AddOutcome)
    .mutation(({ ctx, input }) => ctx.servers.add(input)),
  edit: procedure
    .input(z.strictObject({ id, name, color }))
    .output(z.void())
    .mutation(({ ctx, input: { id, ...change } }) => ctx.servers.edit(id, change)),
  remove: procedure
    .input(z.strictObject({ id }))
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.servers.remove(input.id)),
  /** Loads the page anew, on the other server; null for the app's own. */
  use: procedure
    .input(z.strictObject({ id: id.nullable() }))
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.servers.use(input.id)),
  /** Accepts another certificate from now on, and ends the session. */
  trust: procedure
    .input(z.strictObject({ id, fingerprint: Fingerprint }))
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.servers.trust(input.id, input.fingerprint)),
  signIn: procedure
    .input(z.strictObject({ id, name: AccountName, password: z.string().max(1_024), code: Code }))
    .output(RemoteSignIn)
    .mutation(({ ctx, input }) =>
      ctx.servers.signIn(input.id, input.name, input.password, input.code),
    ),
  completeSignIn: procedure
    .input(
      z.strictObject({
        id,
        name: AccountName,
        challenge: z.string().min(1).max(100),
        answer: SecondFactorAnswer,
      }),
    )
    .output(RemoteSignIn)
    .mutation(({ ctx, input }) =>
      ctx.servers.completeSignIn(input.id, input.name, input.challenge, input.answer),
    ),
  signOut: procedure
    .input(z.strictObject({ id }))
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.servers.signOut(input.id)),
})

const BackupFile = z.strictObject({ file: z.string().min(1, 'is required').max(4_096) })
const Chosen = z.strictObject({ path: z.string().nullable() })

const shellRouter = router({
  shell: router({
    servers: serversRouter,
    /** The server in use. Begins with the state as it is. */
    serverState: procedure.subscription(({ ctx, signal }) => ctx.servers.followState(signal)),
    /** What the application's menu asks of the page from now on. */
    menuCommands: procedure.subscription(({ ctx, signal }) => ctx.commands.follow(signal)),
    /** Starts the server, or connects to it, now: after a failure, or ahead of the next try. */
    retryServer: procedure.output(z.void()).mutation(({ ctx }) => ctx.servers.retry()),
    /** Opens an http or https link in the browser. `opened` is false for any other. */
    openExternal: procedure
      .input(z.strictObject({ url: z.string().max(2_000) }))
      .output(z.strictObject({ opened: z.boolean() }))
      .mutation(async ({ ctx, input }) => ({ opened: await ctx.openLink(input.url) })),
    /** Asks the person where to save the file, and writes it atomically. */
    saveFile: procedure
      .input(FileToSave)
      .output(SaveOutcome)
      .mutation(({ ctx, input }) => ctx.saveFile(input)),
    preferences: procedure.output(Preferences).query(({ ctx }) => ctx.preferences()),
    /** Changes the given preferences and returns all of them. */
    setPreferences: procedure
      .input(PreferencesChange)
      .output(Preferences)
      .mutation(({ ctx, input }) => ctx.setPreferences(input)),
    settings: procedure.output(SettingsView).query(({ ctx }) => ctx.settings.view()),
    /** Does not wait for the restart; `serverState` reports it. */
    saveSettings: procedure
      .input(SettingsChange)
      .output(SettingsSaved)
      .mutation(({ ctx, input }) => ctx.settings.save(input)),
    /** Forgets the settings with which the server did not start. */
    discardNotApplied: procedure
      .input(DiscardedSection)
      .output(z.void())
      .mutation(({ ctx, input }) => ctx.settings.discardNotApplied(input)),
    checkTls: procedure
      .input(TlsFiles)
      .output(TlsReport)
      .query(({ ctx, input }) => ctx.settings.checkTls(input)),
    chooseFile: procedure
      .input(z.strictObject({ kind: FileKind }))
      .output(Chosen)
      .mutation(async ({ ctx, input }) => ({ path: await ctx.chooseFile(input.kind) })),
    chooseFolder: procedure
      .input(z.strictObject({ kind: FolderKind }))
      .output(Chosen)
      .mutation(async ({ ctx, input }) => ({ path: await ctx.chooseFolder(input.kind) })),
    /** Verifies a backup and returns what restoring it would do. */
    inspectBackup: procedure
      .input(BackupFile)
      .output(Inspection)
      .mutation(({ ctx, input }) => ctx.backups.inspect(input.file)),
    /** Returns once the server is being started again. */
    restoreBackup: procedure
      .input(BackupFile)
      .output(RestoreOutcome)
      .mutation(({ ctx, input }) => ctx.backups.restore(input.file)),
    about: procedure.output(About).query(({ ctx }) => ctx.about()),
    versionState: procedure.output(VersionState).query(({ ctx }) => ctx.versionState()),
  }),
})
export type ShellRouter = typeof shellRouter

/** The procedures that the main process answers itself. `log` gets the cause of what fails. */
export function shellProcedures(ctx: ShellContext, log: (error: unknown) => void): Procedures {
  return {
    run: (run) => callTRPCProcedure({ router: shellRouter, ctx, ...procedureCall(run) }),
    toError(error, request) {
      const issue = requestIssue(error, request)
      if (issue !== undefined) return issue
      const cause = error instanceof TRPCError ? error.cause : error
      if (cause instanceof RemoteCallError) return cause.error
      log(error)
      return { code: 'internal', reason: 'app_error' }
    },
  }
}
