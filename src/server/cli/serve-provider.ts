import { readFileSync } from 'node:fs'
import type { ServerConfigInput } from '../config.ts'
import { UsageError } from './errors.ts'
import type { ReadSettings } from './settings/read.ts'
import { text } from './strings/serve.ts'

/** Bytes of a secret file that are read at most. */
const MAX_SECRET = 4_096

/**
 * Returns the identity provider of consistent settings, which have all of it or nothing. Throws `UsageError` for a
 * secret file that cannot be read.
 */
export function providerOf({ values, givenBy }: ReadSettings): ServerConfigInput['provider'] {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecretFile: file } = values
  if (issuer === undefined || clientId === undefined || file === undefined) return undefined
  return { issuer, clientId, clientSecret: secretOf(file, givenBy('oidcClientSecretFile')) }
}

/** Returns the mail server of consistent settings. Throws `UsageError` for a password file that cannot be read. */
export function mailOf({ values, givenBy }: ReadSettings): ServerConfigInput['mail'] {
  const { smtpHost: host, smtpPort: port, smtpTls: tls, mailFrom: from } = values
  const { smtpUser: user, smtpPasswordFile: file } = values
  if (host === undefined || from === undefined) return undefined
  const hasLogin = user !== undefined && file !== undefined
  const login = hasLogin ? { user, password: secretOf(file, givenBy('smtpPasswordFile')) } : null
  return { host, port, tls, login, from }
}

function secretOf(file: string, givenBy: string): string {
  try {
    const secret = readFileSync(file, 'utf8').slice(0, MAX_SECRET).trim()
    if (secret !== '') return secret
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(text.unreadable(givenBy, file, reason))
  }
  throw new UsageError(text.unreadable(givenBy, file, 'it is empty'))
}
