import { messageOf } from '../shared/basics/message-of.ts'
import type { ServerTrouble } from '../shared/console/desktop/server-process.ts'
import type { ServerState } from '../shared/console/desktop/shell.ts'
import {
  backupProblemSentence,
  storageProblemSentence,
} from '../shared/wording/operation/storage-problem.ts'
import { PLACE_NAMES } from '../shared/wording/places.ts'
import { planReasonSentence, stopSentences } from '../shared/wording/plan.ts'
import { StartError } from './settings/start-error.ts'

/** The texts of the desktop app outside of its page: menu, tray, notifications and system dialogs. */
export const text = {
  menu: {
    file: '&File',
    ...PLACE_NAMES,
    publish: 'Publish a release…',
    settings: 'Settings…',
    close: 'Close window',
    go: '&Go',
    palette: 'Command palette…',
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
    chooseFolder: {
      backups: 'Choose a folder for backups',
      files: 'Choose a folder for stored files',
    },
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
      const { failure } = trouble
      const why =
        failure.code === 'unwritable'
          ? failure.detail
          : 'Lines arrive faster than they can be written'
      const fix = 'Check the disk that holds the log file.'
      return { title: 'The log cannot be written', text: `${why}. ${fix}` }
    }
    case 'backup':
      return { title: 'The backup failed', text: backupProblemSentence(trouble.problem) }
    case 'plan_stopped': {
      const { app, channel, version, action } = trouble
      const why = `${planReasonSentence('failures')} ${stopSentences([], action)}`
      return { title: `${version} on ${app}/${channel} stopped`, text: why }
    }
    default:
      return trouble satisfies never
  }
}

/** Returns why the app cannot start, and what to do about it. */
export function startErrorText(error: unknown): string {
  if (!(error instanceof StartError)) return messageOf(error)
  const { code, path, detail } = error
  switch (code) {
    case 'settings_unreadable':
      return `The settings file ${path} cannot be read: ${detail}. Fix its permissions or move it elsewhere, then start Tidegate again.`
    case 'folder_unusable':
      return `The folder ${path} cannot be used: ${detail}. Set TIDEGATE_USER_DATA to a folder that you can write to.`
    default:
      return code satisfies never
  }
}
