import type { ServerTrouble } from '../shared/console/server-process.ts'
import type { ServerState } from '../shared/console/shell.ts'
import { backupProblemSentence, storageProblemSentence } from '../shared/wording/storage-problem.ts'

/** The texts of the desktop app outside of its page: menu, tray, notifications and system dialogs. */
export const text = {
  menu: {
    file: '&File',
    publish: 'Publish a release…',
    settings: 'Settings…',
    close: 'Close window',
    go: '&Go',
    overview: 'Overview',
    fleet: 'Fleet',
    releases: 'Releases',
    devices: 'Devices',
    apps: 'Apps and channels',
    keys: 'API keys',
    audit: 'Audit log',
    view: '&View',
  },

  tray: {
    tooltip: (state: string) => `Tidegate: ${state}`,
    copyAddress: 'Copy server address',
    startServer: 'Start server',
    openConsole: 'Open console',
    quit: 'Quit Tidegate',
    notCopied: (reason: string) => `The address could not be copied: ${reason}`,
  },

  notifications: {
    serverDown: 'The server is down',
    startFailed: 'The server could not start',
    newVersion: (version: string) => `Tidegate ${version} is available`,
    howToUpgrade: 'Open Settings to see how to upgrade.',
    notApplied: 'The new settings were not applied',
    previousInUse: (reason: string) => `${reason} The previous settings are in use again.`,
    settingsReset: 'Settings were reset to defaults',
    settingsKeptAs: (file: string) => `The settings file was invalid. It was renamed to ${file}.`,
  },

  dialogs: {
    pem: 'PEM',
    backup: 'Backup',
    allFiles: 'All files',
    chooseCertificate: 'Choose a certificate',
    chooseKey: 'Choose a private key',
    chooseBackup: 'Choose a backup',
    chooseBackupFolder: 'Choose a folder for backups',
    cannotStart: 'Tidegate cannot start',
  },

  unsaved: {
    title: 'Tidegate',
    message: 'Discard unsaved changes?',
    detail: 'Your draft, or an API key that you have not copied, will be lost.',
    discard: 'Discard',
    cancel: 'Cancel',
  },

  page: {
    title: 'Tidegate',
    exited: (reason: string) => `The console page exited: ${reason}`,
    message: 'The console stopped working',
    detail: (times: number) =>
      `It crashed ${times} times in a row. The server is still running. Reload the console, or quit Tidegate, which also stops the server.`,
    reload: 'Reload',
    quit: 'Quit Tidegate',
  },

  /** The errors that the page shows for requests that failed; see also `preload/strings.ts`. */
  requests: {
    noResponse: 'The server does not respond.',
    failed: 'The desktop app could not complete the request.',
  },

  /** Why a file could not be written, after the sentence that it could not. */
  writeFailures: {
    notWritten: (file: string, reason: string) => `${file} could not be written: ${reason}`,
    full: 'the disk is full. Free some space, or choose another folder.',
    forbidden: 'permission denied. Choose another folder.',
    isFolder: 'a folder with this name exists. Choose another name.',
    noFolder: 'the folder no longer exists. Choose another one.',
    open: 'it is open in another program. Close it there, then try again.',
  },
} as const

/** Returns the state of the server in a few words, for the tray and its tooltip. */
export function stateWords(state: ServerState): string {
  switch (state.state) {
    case 'starting':
      return state.upgrading ? 'Server is upgrading its database' : 'Server is starting'
    case 'running':
      return `Server is running at ${state.address}`
    case 'restarting':
      return 'Server stopped and is restarting'
    case 'failed':
      return 'Server could not start'
    case 'stopped':
      return 'Server is stopped'
    default:
      return state satisfies never
  }
}

/** Returns title and text of a notification about what a running server cannot do. */
export function troubleWords(trouble: ServerTrouble): {
  readonly title: string
  readonly text: string
} {
  switch (trouble.code) {
    case 'database_file': {
      const what = 'The database file was moved, deleted or replaced.'
      const fix = 'Put it back, or stop the server and restore a backup.'
      return { title: 'Changes cannot be saved', text: `${what} ${fix}` }
    }
    case 'telemetry':
      return { title: 'Check-ins cannot be saved', text: storageProblemSentence(trouble.problem) }
    case 'log': {
      const fix = 'Check the disk that holds the log file.'
      return { title: 'The log cannot be written', text: `${trouble.detail}. ${fix}` }
    }
    case 'backup':
      return { title: 'The backup failed', text: backupProblemSentence(trouble.problem) }
    default:
      return trouble satisfies never
  }
}
