import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { messageOf } from '../../../shared/basics/message-of.ts'
import { listenFailure } from '../../../shared/operation/start-failure.ts'
import type { ServerConfigInput } from '../../config.ts'
import { Failure } from '../command/errors.ts'
import type { ReadSettings } from '../settings/read.ts'
import type { Settings } from '../settings/table.ts'
import { text } from '../strings/serve.ts'

/** Returns the two files for HTTPS of consistent settings after checking them. Throws `Failure`. */
export function tlsOf({ values, givenBy }: ReadSettings): ServerConfigInput['tls'] {
  const { tlsCert, tlsKey } = values
  if (tlsCert === undefined || tlsKey === undefined) return undefined
  const cert = readTlsFile(givenBy('tlsCert'), tlsCert)
  const key = readTlsFile(givenBy('tlsKey'), tlsKey)
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    throw new Failure(text.tlsUnusable(tlsCert, tlsKey, messageOf(error)))
  }
  return { certFile: tlsCert, keyFile: tlsKey }
}

function readTlsFile(option: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new Failure(text.unreadable(option, file, messageOf(error)))
  }
}

/** Throws `Failure` if the log file cannot be opened at startup. Later failures do not stop the server. */
export function requireLogFile(option: string, file: string, open: (file: string) => void): void {
  try {
    open(file)
  } catch (error) {
    throw new Failure(text.unwritable(option, file, messageOf(error)))
  }
}

/** Returns the error to throw when the server could not start: a `Failure` if the address is the cause. */
export function startError(
  error: unknown,
  values: Pick<Settings, 'host' | 'port' | 'metricsHost' | 'metricsPort'>,
): unknown {
  const isOfMetrics = error instanceof Error && 'port' in error && error.port === values.metricsPort
  const { host, port } = isOfMetrics
    ? { host: values.metricsHost, port: values.metricsPort }
    : values
  const failure = listenFailure(error, { host, port })
  switch (failure?.code) {
    case undefined:
      return error
    case 'port_in_use':
      return new Failure((isOfMetrics ? text.metricsPortInUse : text.portInUse)(host, port))
    case 'port_forbidden':
      return new Failure(text.portForbidden(host, port))
    case 'unknown_address':
      return new Failure(text.unknownAddress(host))
    default:
      return failure satisfies never
  }
}
