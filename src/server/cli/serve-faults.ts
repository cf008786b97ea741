import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { Command } from 'commander'
import { givenBy } from './environment.ts'
import { Failure, UsageError } from './errors.ts'

interface TlsOptions {
  readonly tlsCert?: string
  readonly tlsKey?: string
}

interface ListenOptions {
  readonly host?: string
  readonly port?: number
}

/** Returns the two files for HTTPS, tried before anything is opened. Throws `UsageError` or `Failure`. */
export function tlsOf({ tlsCert, tlsKey }: TlsOptions, command: Command) {
  if (tlsCert === undefined && tlsKey === undefined) return undefined
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new UsageError('--tls-cert and --tls-key: give both, or neither')
  }
  const cert = readTlsFile(givenBy(command, '--tls-cert'), tlsCert)
  const key = readTlsFile(givenBy(command, '--tls-key'), tlsKey)
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const mend = 'give a certificate and the private key that belongs to it, both in PEM'
    throw new Failure(`${tlsCert} and ${tlsKey} cannot be used for TLS (${reason}); ${mend}`)
  }
  return { certFile: tlsCert, keyFile: tlsKey }
}

function readTlsFile(option: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Failure(
      `${option}: ${file} cannot be read (${reason}); check the path and who may read it`,
    )
  }
}

/** Throws `Failure` for a log file that is wrong from the start. One that fails later stops nothing. */
export function requireLogFile(option: string, file: string, open: (file: string) => void): void {
  try {
    open(file)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Failure(
      `${option}: ${file} cannot be written (${reason}); check the path and who may write to it`,
    )
  }
}

/** Returns what to throw for a server that could not start: a `Failure` where it is the address. */
export function listenFailure(
  error: unknown,
  { host = '127.0.0.1', port = 8440 }: ListenOptions,
): unknown {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return error
  switch (error.code) {
    case 'EADDRINUSE':
      return new Failure(
        `port ${port} of ${host} is in use by another program; stop it or choose another port with --port, 0 takes any that is free`,
      )
    case 'EACCES':
      return new Failure(
        `this account may not listen on port ${port} of ${host}; choose a port above 1023 with --port`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new Failure(
        `${host} is not an address of this machine; name one with --host, 0.0.0.0 means all`,
      )
    default:
      return error
  }
}
