import type { ServerTrouble } from '../../shared/console/server-process.ts'
import type { ServerState } from '../../shared/console/shell.ts'
import {
  backupProblemSentence,
  storageProblemSentence,
} from '../../shared/wording/storage-problem.ts'

/** Returns the state of the server in a few words, for the tray and its tooltip. */
export function stateWords(state: ServerState): string {
  switch (state.state) {
    case 'starting':
      return state.upgrading ? 'Server is upgrading its database' : 'Server is starting'
    case 'running':
      return `Server runs at ${state.address}`
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

/** Title and text of a notification about what a running server cannot do. */
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
      return {
        title: 'Check-ins cannot be saved',
        text: storageProblemSentence(trouble.problem),
      }
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
