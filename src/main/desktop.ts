import { join } from 'node:path'
import { app, net } from 'electron'
import type { MenuCommand, ServerState } from '../shared/console/desktop/shell.ts'
import { Broadcast } from './ipc/broadcast.ts'
import { servePorts } from './ipc/ports.ts'
import { shellProcedures } from './ipc/shell-router.ts'
import { serveApp } from './page/app-protocol.ts'
import { harden, openLink } from './page/hardening.ts'
import { serverConfig } from './server-process/server-config.ts'
import { Supervisor } from './server-process/supervisor.ts'
import { forkServer } from './server-process/utility-process.ts'
import { keepFilters, ServerList, withFilters } from './servers/server-list.ts'
import { Servers } from './servers/servers.ts'
import { Sessions } from './servers/sessions.ts'
import { systemVault } from './servers/vault.ts'
import { applyPreferences, startedAtLogin } from './settings/apply-preferences.ts'
import { BackupService } from './settings/backup-service.ts'
import { ChosenPaths } from './settings/paths.ts'
import { ServerSettingsService } from './settings/server-settings.ts'
import { SettingsFile } from './settings/settings-file.ts'
import { SettingsTrial } from './settings/settings-trial.ts'
import type { UserData } from './settings/user-data.ts'
import { chooseFile, chooseFolder, saveFile } from './system/file-dialogs.ts'
import { setMenu } from './system/menu.ts'
import { Notifications } from './system/notifications.ts'
import { createTray } from './system/tray.ts'
import { VersionCheck } from './system/version-check.ts'
import { ConsoleWindow } from './window/window.ts'
import { RememberedWindow } from './window/window-state.ts'

export interface Desktop {
  /** Brings the console to the front. */
  show(): void
  /** From now on, closing the window closes it regardless of the preferences. */
  prepareToQuit(): void
  /** Stops the server gracefully, within a bound. */
  stop(): Promise<void>
}

/** Puts the parts of the desktop app together and starts them. Electron must be ready. */
export function startDesktop(userData: UserData): Desktop {
  const { settingsFile, windowFile, versionFile, serversFile, dataFolder, logFile } = userData
  let quitting = false
  const settings = new SettingsFile(settingsFile)
  const states = new Broadcast<ServerState>()
  // A menu item may be chosen while there is no window, or while its page is still loading.
  const commands = new Broadcast<MenuCommand>({ keepsLast: true })
  const window = new ConsoleWindow({
    remembered: new RememberedWindow(windowFile),
    staysOpen: () => !quitting && settings.preferences.closeToTray,
    onKept: () => {
      quitting = false
    },
  })
  const show = () => void window.show()
  const notifications = new Notifications(show)
  const supervisor = new Supervisor({
    fork: () => forkServer(logFile),
    config: () => serverConfig(dataFolder, settings.server),
    onState: (state) => states.send(state),
    onTrouble: (trouble) => notifications.trouble(trouble),
    trial: new SettingsTrial(settings, {
      onFallBack: (failure) => notifications.settingsNotApplied(failure),
      onError: logError,
    }),
  })
  const versionCheck = new VersionCheck({
    file: versionFile,
    version: app.getVersion(),
    server: () => (settings.preferences.checkForUpdates ? settings.preferences.updateServer : null),
    onFound: (version) => notifications.newVersion(version),
    onFailure: (error) => logError(error),
    // Uses the system's proxy, as a browser would.
    fetch: (address, options) => net.fetch(address, options),
  })
  const chosen = new ChosenPaths()
  const serverSettings = new ServerSettingsService({
    file: settings,
    dataFolder,
    chosen,
    portInUse: () => portOf(supervisor.state),
    restart: () => void supervisor.restart(),
  })
  const retryServer = () => void supervisor.start()
  const list = new ServerList(serversFile)
  const servers = new Servers({
    list,
    sessions: new Sessions(list, systemVault),
    own: { state: () => supervisor.state, retry: retryServer },
    reloadPage: () => window.reload(),
    log: logError,
  })
  const shell = shellProcedures(
    {
      commands,
      servers,
      openLink,
      saveFile,
      preferences: () => withFilters(list, settings.preferences),
      setPreferences: (change) => {
        const preferences = settings.setPreferences(keepFilters(list, change))
        applyPreferences(preferences)
        return withFilters(list, preferences)
      },
      settings: serverSettings,
      chooseFile: (kind) => chooseFile(kind, chosen),
      chooseFolder: (kind) => chooseFolder(kind, chosen),
      backups: new BackupService(supervisor, chosen),
      about: () => ({
        version: app.getVersion(),
        electron: process.versions.electron ?? '',
        chromium: process.versions.chrome ?? '',
        node: process.versions.node,
        platform: `${process.platform} ${process.arch}`,
        dataFolder,
        address: settings.server.address,
      }),
      versionState: () => versionCheck.state,
    },
    logError,
  )

  harden()
  serveApp(join(import.meta.dirname, '../renderer'))
  servePorts(shell, {
    remote: () => servers.procedures(),
    connectOwn: () => supervisor.connect(),
  })
  try {
    applyPreferences(settings.preferences)
  } catch (error) {
    logError(error)
  }
  setMenu((command) => {
    if (window.show()) commands.keep(command)
    else commands.send(command)
  })
  const showInTray = createTray({ openConsole: show, retryServer })
  states.listen((state) => showInTray(state))
  states.listen((state) => notifications.state(state))
  states.listen((state) => servers.ownState(state))
  if (settings.brokenFile !== undefined) notifications.settingsReset(settings.brokenFile)
  void supervisor.start()
  servers.start().catch(logError)
  versionCheck.start()
  if (!startedAtLogin()) show()

  return {
    show,
    prepareToQuit: () => {
      quitting = true
    },
    stop: () => {
      versionCheck.stop()
      servers.stop()
      return supervisor.stop()
    },
  }
}

function portOf(state: ServerState): number | undefined {
  if (state.state !== 'running') return undefined
  const { port, protocol } = new URL(state.address)
  return port === '' ? DEFAULT_PORTS[protocol] : Number(port)
}

/** A URL leaves these out. */
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

function logError(error: unknown): void {
  process.stderr.write(`${String(error)}\n`)
}
