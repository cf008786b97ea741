import { type Sentences, say } from '../../coded.ts'
import type { StartFailure } from '../../operation/start-failure.ts'
import { storageProblemSentence } from './storage-problem.ts'

interface UnexpectedEnd {
  readonly exitCode: number
  /** Whether the server had been ready before. */
  readonly wasReady: boolean
}

/** Returns why the server of the desktop app did not start, and what to do about it. */
export function startFailureSentence(failure: StartFailure): string {
  return say(FAILURES, failure)
}

const FAILURES: Sentences<StartFailure> = {
  port_in_use: ({ port, host }) =>
    `Port ${port} on ${host} is already in use. Stop the other program, or choose another port in Settings.`,
  port_forbidden: ({ port, host }) =>
    `Permission denied to listen on port ${port} on ${host}. Choose a port above 1023 in Settings.`,
  unknown_address: ({ host }) =>
    `${host} is not an address of this computer. Choose one in Settings: 127.0.0.1 for this computer only, 0.0.0.0 for all network interfaces.`,
  tls: ({ detail }) =>
    `The certificate cannot be used (${detail}). Choose a certificate and its private key in Settings, or turn off TLS.`,
  storage: ({ problem }) => storageProblemSentence(problem),
  ended: ({ exitCode }) => `The server stopped before it was ready (exit code ${exitCode}).`,
  other: ({ detail }) => `The server could not start: ${detail}.`,
}

/** Returns that the server process ended by itself. */
export function unexpectedEnd({ exitCode, wasReady }: UnexpectedEnd): string {
  const when = wasReady ? 'unexpectedly' : 'before it was ready'
  return `The server stopped ${when} (exit code ${exitCode}). Restarting…`
}
