import { callTRPCProcedure, initTRPC } from '@trpc/server'
import { z } from 'zod'
import { Inspection, RestoreOutcome } from '../../shared/console/backups.ts'
import { type Procedures, procedureCall, requestIssue } from '../../shared/console/procedures.ts'
import { TlsReport } from '../../shared/console/setting-issue.ts'
import {
  DiscardedSection,
  FileKind,
  SettingsChange,
  SettingsSaved,
  SettingsView,
  TlsFiles,
} from '../../shared/console/settings.ts'
import {
  About,
  FileToSave,
  type MenuCommand,
  Preferences,
  PreferencesChange,
  SaveOutcome,
  type ServerState,
  VersionState,
} from '../../shared/console/shell.ts'
import type { Broadcast } from './broadcast.ts'

/** What the shell's procedures need of the desktop app. */
export interface ShellContext {
  readonly states: Broadcast<ServerState>
  readonly commands: Broadcast<MenuCommand>
  serverState(): ServerState
  retryServer(): void
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
  chooseFolder(): Promise<string | null>
  inspectBackup(file: string): Promise<Inspection>
  /** Stops the server, restores the file, and starts the server again even if that failed. */
  restoreBackup(file: string): Promise<RestoreOutcome>
  about(): About
  /** Whether a new version of Tidegate is available. */
  versionState(): VersionState
}

const { router, procedure } = initTRPC.context<ShellContext>().create()

const BackupFile = z.strictObject({ file: z.string().min(1, 'is required').max(4_096) })
const Chosen = z.strictObject({ path: z.string().nullable() })

const shellRouter = router({
  shell: router({
    /** Begins with the state as it is. */
    serverState: procedure.subscription(({ ctx, signal }) =>
      ctx.states.follow(signal, () => ctx.serverState()),
    ),
    /** What the application's menu asks of the page from now on. */
    menuCommands: procedure.subscription(({ ctx, signal }) => ctx.commands.follow(signal)),
    /** Starts the server now: after a failure, or ahead of the next try. */
    retryServer: procedure.output(z.void()).mutation(({ ctx }) => {
      ctx.retryServer()
    }),
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
    settings: procedure.output(SettingsView).query(({ ctx }) => ctx.settings()),
    /** Does not wait for the restart; `serverState` reports it. */
    saveSettings: procedure
      .input(SettingsChange)
      .output(SettingsSaved)
      .mutation(({ ctx, input }) => ctx.saveSettings(input)),
    /** Forgets the settings with which the server did not start. */
    discardNotApplied: procedure
      .input(DiscardedSection)
      .output(z.void())
      .mutation(({ ctx, input }) => {
        ctx.discardNotApplied(input)
      }),
    checkTls: procedure
      .input(TlsFiles)
      .output(TlsReport)
      .query(({ ctx, input }) => ctx.checkTls(input)),
    chooseFile: procedure
      .input(z.strictObject({ kind: FileKind }))
      .output(Chosen)
      .mutation(async ({ ctx, input }) => ({ path: await ctx.chooseFile(input.kind) })),
    chooseFolder: procedure
      .output(Chosen)
      .mutation(async ({ ctx }) => ({ path: await ctx.chooseFolder() })),
    /** Verifies a backup and returns what restoring it would do. */
    inspectBackup: procedure
      .input(BackupFile)
      .output(Inspection)
      .mutation(({ ctx, input }) => ctx.inspectBackup(input.file)),
    /** Returns once the server is being started again. */
    restoreBackup: procedure
      .input(BackupFile)
      .output(RestoreOutcome)
      .mutation(({ ctx, input }) => ctx.restoreBackup(input.file)),
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
      log(error)
      return { code: 'internal', reason: 'app_error' }
    },
  }
}
