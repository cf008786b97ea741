import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { Command } from 'commander'
import { listenFailure } from '../../shared/listen-failure.ts'
import { DEFAULT_HOST, SERVER_NUMBERS } from '../../shared/server-numbers.ts'
import { givenBy } from './environment.ts'
import { Failure, UsageError } from './errors.ts'
import { text } from './strings/serve.ts'

interface TlsOptions {
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly tlsSelfSigned?: boolean
}

interface ListenOptions {
  readonly host?: string
  readonly port?: number
}

/** Returns the two files for HTTPS after checking them. Throws `UsageError` or `Failure`. */
export function tlsOf({ tlsCert, tlsKey, tlsSelfSigned }: TlsOptions, command: Command) {
  if (tlsSelfSigned === true && (tlsCert ?? tlsKey) !== undefined) {
    throw new UsageError(text.tlsTwice)
  }
  if (tlsCert === undefined && tlsKey === undefined) return undefined
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new UsageError(text.tlsPair)
  }
  const cert = readTlsFile(givenBy(command, '--tls-cert'), tlsCert)
  const key = readTlsFile(givenBy(command, '--tls-key'), tlsKey)
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Failure(text.tlsUnusable(tlsCert, tlsKey, reason))
  }
  return { certFile: tlsCert, keyFile: tlsKey }
}

function readTlsFile(option: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Failure(text.unreadable(option, file, reason))
  }
}

/** Throws `Failure` if the log file cannot be opened at startup. Later failures do not stop the server. */
export function requireLogFile(option: string, file: string, open: (file: string) => void): void {
  try {
    open(file)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Failure(text.unwritable(option, file, reason))
  }
}

/** Returns the error to throw when the server could not start: a `Failure` if the address is the cause. */
export function startError(
  error: unknown,
  { host = DEFAULT_HOST, port = SERVER_NUMBERS.port.default }: ListenOptions,
): unknown {
  const failure = listenFailure(error, { host, port })
  switch (failure?.code) {
    case undefined:
      return error
    case 'port_in_use':
      return new Failure(text.portInUse(host, port))
    case 'port_forbidden':
      return new Failure(text.portForbidden(host, port))
    case 'unknown_address':
      return new Failure(text.unknownAddress(host))
    default:
      return failure satisfies never
  }
}
