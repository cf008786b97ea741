import type { ServerState } from '../../shared/console/shell.ts'

/** Returns the state of the server in a few words, for the tray and its tooltip. */
export function stateWords(state: ServerState): string {
  switch (state.state) {
    case 'starting':
      return state.upgrading ? 'Server is upgrading its database' : 'Server is starting'
    case 'running':
      return `Server runs at ${state.address}`
    case 'restarting':
      return 'Server ended and starts again'
    case 'failed':
      return 'Server could not start'
    case 'stopped':
      return 'Server is stopped'
    default:
      return state satisfies never
  }
}
