import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { Broadcast } from '../../../src/main/ipc/broadcast.ts'
import { type ShellContext, shellProcedures } from '../../../src/main/ipc/shell-router.ts'
import { ChosenPaths } from '../../../src/main/settings/paths.ts'
import { ServerSettingsService } from '../../../src/main/settings/server-settings.ts'
import { SettingsFile } from '../../../src/main/settings/settings-file.ts'
import type { RunningServer } from '../../../src/server/compose/running-server.ts'
import { inspectBackup } from '../../../src/server/compose/server-process/restore-task.ts'
import { consoleProcedures } from '../../../src/server/console/procedures.ts'
import { createServer } from '../../../src/server/server.ts'
import type { Access } from '../../../src/server/use-cases/access.ts'
import type { Procedures } from '../../../src/shared/console/bridge/procedures.ts'
import {
  DEFAULT_PREFERENCES,
  type Preferences,
  type ServerState,
} from '../../../src/shared/console/desktop/shell.ts'
import { testServers } from '../../support/servers/test-servers.ts'

export interface Backend {
  readonly running: RunningServer
  /** Has the server take it for so many milliseconds earlier than it is. */
  turnBack(milliseconds: number): void
  /** Says to the page that the server is in another state; it runs all the same. */
  pretend(state: ServerState): void
  /** Gives the page other roles. */
  actAs(access: Access): void
  choose(path: string): Procedures
  stop(): Promise<void>
}

/** A folder for a backend; `stop` removes it. */
export function backendFolder(): string {
  return mkdtempSync(join(tmpdir(), 'tidegate-preview-'))
}

interface BackendOptions {
  /** What the page shows in place of the server's own address. */
  readonly shownAddress?: string
  readonly storesFiles?: boolean
}

/** A real server in a folder of its own, and the router of a main process without Electron. */
export async function startBackend(
  folder = backendFolder(),
  { shownAddress, storesFiles = false }: BackendOptions = {},
): Promise<Backend> {
  const limits = { device: 0, key: 0, rejectedKey: 0 }
  const log = pino({ level: 'warn' })
  let back = 0
  const running = await createServer(
    {
      ...{ port: 0, host: '0.0.0.0', dataFolder: folder, limits },
      ...(storesFiles ? { hosting: hostingIn(folder) } : {}),
    },
    log,
    { clock: () => Date.now() - back },
  ).start()
  const shown = { ...running.consoleContext, address: shownAddress ?? running.address }
  let server = consoleProcedures(shown, log)

  let state: ServerState = { state: 'running', address: shown.address }
  let preferences: Preferences = DEFAULT_PREFERENCES
  const file = new SettingsFile(join(folder, 'settings.json'))
  const chosen = new ChosenPaths()
  const desk = new ServerSettingsService({
    file,
    dataFolder: folder,
    chosen,
    portInUse: () => Number(new URL(running.address).port),
    restart() {},
  })
  const { servers } = testServers({
    file: join(folder, 'servers.json'),
    own: {
      state: () => state,
      retry: () => pretend({ state: 'running', address: running.address }),
    },
  })
  const pretend = (next: ServerState) => {
    state = next
    servers.ownState(next)
  }
  const context: ShellContext = {
    commands: new Broadcast(),
    servers,
    openLink: async () => false,
    saveFile: async () => ({ outcome: 'cancelled' }),
    preferences: () => preferences,
    setPreferences(change) {
      preferences = { ...preferences, ...change }
      return preferences
    },
    settings: desk,
    chooseFile: async () => null,
    chooseFolder: async () => null,
    backups: {
      inspect: async (file) => inspectBackup({ dataFolder: folder, files: null, file }),
      restore: async () => ({ ok: false, problem: { code: 'restoring_ended' } }),
    },
    versionState: () => ({
      state: 'available',
      version: '9.0.0',
      checkedAt: new Date().toISOString(),
    }),
    about: () => ({
      version: '0.1.0',
      electron: 'none',
      chromium: 'none',
      node: process.version,
      platform: process.platform,
      dataFolder: folder,
      address: { host: '127.0.0.1', port: 0 },
    }),
  }
  const main = shellProcedures(context, (error) => log.error(error))
  return {
    running,
    turnBack(milliseconds) {
      back = milliseconds
    },
    pretend,
    actAs(access) {
      const actor = { kind: 'console', name: 'preview' } as const
      server = consoleProcedures(shown, log, { actor, access, seesArchived: true })
    },
    choose: (path) => (path.startsWith('shell.') ? main : server),
    async stop() {
      await running.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function hostingIn(folder: string) {
  const publicUrl = 'https://updates.studio.example'
  return { folder: join(folder, 'artifacts'), publicUrl, quotaGiB: 1 }
}
