import type { StartFailure } from '../start-failure.ts'
import { storageProblemSentence } from './storage-problem.ts'

interface UnexpectedEnd {
  readonly exitCode: number
  /** Whether the server had been ready before. */
  readonly wasReady: boolean
}

/** Returns why the server of the desktop app did not start, and what to do about it. */
export function startFailureSentence(failure: StartFailure): string {
  switch (failure.code) {
    case 'port_in_use':
      return `Port ${failure.port} on ${failure.host} is already in use. Stop the other program, or choose another port in Settings.`
    case 'port_forbidden':
      return `Permission denied to listen on port ${failure.port} on ${failure.host}. Choose a port above 1023 in Settings.`
    case 'unknown_address':
      return `${failure.host} is not an address of this computer. Choose one in Settings: 127.0.0.1 for this computer only, 0.0.0.0 for all network interfaces.`
    case 'tls':
      return `The certificate cannot be used (${failure.detail}). Choose a certificate and its private key in Settings, or turn off TLS.`
    case 'storage':
      return storageProblemSentence(failure.problem)
    case 'several_databases':
      return severalDatabasesSentence(failure.folders)
    case 'ended':
      return `The server stopped before it was ready (exit code ${failure.exitCode}).`
    case 'other':
      return `The server could not start: ${failure.detail}.`
    default:
      return failure satisfies never
  }
}

/** Returns that the server process ended by itself. */
export function unexpectedEnd({ exitCode, wasReady }: UnexpectedEnd): string {
  const when = wasReady ? 'unexpectedly' : 'before it was ready'
  return `The server stopped ${when} (exit code ${exitCode}). Restarting…`
}

/** Returns that an account has several databases, and how to choose one. */
export function severalDatabasesSentence(folders: readonly string[]): string {
  return `There is more than one database, in ${folders.join(' and ')}. Set TIDEGATE_DATA to the folder to use, or move the others elsewhere, and start again.`
}
