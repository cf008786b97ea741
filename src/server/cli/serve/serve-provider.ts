import type { ServerConfigInput } from '../../config.ts'
import { secretIn } from '../secret-file.ts'
import type { ReadSettings } from '../settings/read.ts'

/**
 * Returns the identity provider of consistent settings, which have all of it or nothing. Throws `UsageError` for a
 * secret file that cannot be read.
 */
export function providerOf({ values, givenBy }: ReadSettings): ServerConfigInput['provider'] {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecretFile: file } = values
  if (issuer === undefined || clientId === undefined || file === undefined) return undefined
  return { issuer, clientId, clientSecret: secretIn(file, givenBy('oidcClientSecretFile')) }
}

/** Returns the mail server of consistent settings. Throws `UsageError` for a password file that cannot be read. */
export function mailOf({ values, givenBy }: ReadSettings): ServerConfigInput['mail'] {
  const { smtpHost: host, smtpPort: port, smtpTls: tls, mailFrom: from } = values
  const { smtpUser: user, smtpPasswordFile: file } = values
  if (host === undefined || from === undefined) return undefined
  const hasLogin = user !== undefined && file !== undefined
  const login = hasLogin ? { user, password: secretIn(file, givenBy('smtpPasswordFile')) } : null
  return { host, port, tls, login, from }
}
