import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { ServerConfig, type ServerConfigInput } from '../config.ts'
import { givenBy } from './environment.ts'
import { UsageError } from './errors.ts'
import type { ServeOptions } from './serve-options.ts'
import { text } from './strings/serve.ts'

/** Bytes of a secret file that are read at most. */
const MAX_SECRET = 4_096

/**
 * Returns the identity provider of the options, which name all of it or nothing. Throws `UsageError` for a part of
 * it, an address that is not https, and a secret file that cannot be read.
 */
export function providerOf(
  { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecretFile: file }: ServeOptions,
  command: Command,
): ServerConfigInput['provider'] {
  if (issuer === undefined && clientId === undefined && file === undefined) return undefined
  if (issuer === undefined || clientId === undefined || file === undefined) {
    throw new UsageError(text.oidcTogether)
  }
  const provider = { issuer, clientId, clientSecret: secretOf(file, command) }
  const read = ServerConfig.shape.provider.safeParse(provider)
  if (!read.success) throw new UsageError(text.oidcIssuerForm(givenBy(command, '--oidc-issuer')))
  return provider
}

function secretOf(file: string, command: Command): string {
  const option = givenBy(command, '--oidc-client-secret-file')
  try {
    const secret = readFileSync(file, 'utf8').slice(0, MAX_SECRET).trim()
    if (secret !== '') return secret
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(text.unreadable(option, file, reason))
  }
  throw new UsageError(text.unreadable(option, file, 'it is empty'))
}
