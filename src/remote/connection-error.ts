import { messageOf } from '../shared/basics/message-of.ts'
import type { CallError } from '../shared/console/bridge/bridge.ts'
import type { ConnectionFailure, Fingerprint } from '../shared/console/desktop/remote-servers.ts'

/** A server that cannot be connected to, and why. */
export class ConnectionError extends Error {
  readonly failure: ConnectionFailure

  constructor(reason: ConnectionFailure['reason'], detail = '') {
    super(`${reason} ${detail}`)
    this.name = 'ConnectionError'
    this.failure = { reason, detail }
  }

  /** What the system reported, as the failure that it is. */
  static of(error: unknown): ConnectionError {
    if (error instanceof ConnectionError) return error
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return new ConnectionError(REASONS[code] ?? 'unreachable', messageOf(error))
  }
}

const REASONS: Readonly<Record<string, ConnectionFailure['reason']>> = {
  ENOTFOUND: 'unknown_name',
  EAI_AGAIN: 'unknown_name',
  ECONNREFUSED: 'connection_refused',
  ETIMEDOUT: 'timed_out',
  // Both what OpenSSL and what BoringSSL call it, which Electron is built with.
  ERR_SSL_WRONG_VERSION_NUMBER: 'not_tls',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'not_tls',
  ERR_SSL_HTTP_REQUEST: 'not_tls',
  EPROTO: 'not_tls',
}

/** A certificate that is not accepted. Nothing was sent to who presented it. */
export class CertificateError extends ConnectionError {
  readonly pinned: Fingerprint | null
  readonly presented: Fingerprint

  /** `reason`: why the system does not trust it. */
  constructor(pinned: Fingerprint | null, presented: Fingerprint, reason: string) {
    super('certificate', reason)
    this.pinned = pinned
    this.presented = presented
  }
}

/** A call that failed, as the page hears of it. */
export class RemoteCallError extends Error {
  readonly error: CallError

  constructor(error: CallError) {
    super(JSON.stringify(error))
    this.name = 'RemoteCallError'
    this.error = error
  }
}
