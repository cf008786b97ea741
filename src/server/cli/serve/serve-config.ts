import { join } from 'node:path'
import { SERVER_NUMBERS } from '../../../shared/operation/server-numbers.ts'
import type { ServerConfigInput } from '../../config.ts'
import { readBucketAddress } from '../../hosting/bucket/bucket-address.ts'
import { databaseOf } from '../data/storage-config.ts'
import { numberValues } from '../settings/number-settings.ts'
import type { ReadSettings } from '../settings/read.ts'
import { authorizationsIn, secretIn } from '../settings/secret-file.ts'
import type { Settings } from '../settings/table.ts'
import { PAGE_FOLDER } from './console-page.ts'
import type { SelfSigned } from './self-signed.ts'
import { tlsOf } from './serve-failures.ts'

const { limits, budgets, connections, retention, backups, hosting } = SERVER_NUMBERS

/** What the settings name that is read before the server starts. Throws `UsageError` or `Failure`. */
export function filesOf(settings: ReadSettings) {
  return {
    tls: tlsOf(settings),
    provider: providerOf(settings),
    mail: mailOf(settings),
    database: databaseOf(settings),
    gateServers: gateServersOf(settings),
  }
}

/** Returns the configuration of the server for consistent settings. */
export function serverConfigOf(
  { dataFolder, values }: ReadSettings,
  { tls, provider, mail, database, gateServers }: ReturnType<typeof filesOf>,
  selfSigned: SelfSigned | undefined,
): ServerConfigInput {
  const { trustProxy = [], consoleHost = [] } = values
  return {
    dataFolder,
    database,
    nodeName: values.nodeName,
    host: values.host,
    port: values.port,
    limits: numberValues(limits, values),
    budgets: numberValues(budgets, values),
    ...numberValues(connections, values),
    ...numberValues(retention, values),
    trustProxy: [...trustProxy],
    publicUrl: values.publicUrl,
    tls: selfSigned ? { certFile: selfSigned.file, keyFile: selfSigned.file } : tls,
    provider,
    metrics:
      values.metricsPort === 0 ? undefined : { host: values.metricsHost, port: values.metricsPort },
    mail,
    console: {
      mode: values.console,
      plainHttp: values.consolePlainHttp,
      names: [...consoleHost],
      pageFolder: PAGE_FOLDER,
    },
    webhooks: { privateHosts: [...(values.webhookPrivateHost ?? [])] },
    push: { isOffered: values.push === 'on', hosts: [...(values.pushHost ?? [])] },
    plans: { gateServers },
    hosting: hostingOf(dataFolder, values),
    backups: { ...numberValues(backups, values), folder: values.backupFolder },
  }
}

function hostingOf(dataFolder: string, values: Settings): ServerConfigInput['hosting'] {
  const { artifacts, publicUrl, s3Endpoint: endpoint, s3Region: region } = values
  if (artifacts === undefined || publicUrl === undefined) return undefined
  const address = readBucketAddress(artifacts)
  return {
    // With a bucket, a folder for what arrives.
    folder: address === undefined ? artifacts : join(dataFolder, 'artifacts'),
    bucket: address && { ...address, endpoint, region },
    publicUrl,
    ...numberValues(hosting, values),
  }
}

/** Returns the identity provider of consistent settings. Throws `UsageError` for a secret file that cannot be read. */
function providerOf({ values, givenBy }: ReadSettings): ServerConfigInput['provider'] {
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

/** Returns the servers that gates may ask. Throws `UsageError` for a file of tokens that cannot be used. */
function gateServersOf({ values, givenBy }: ReadSettings) {
  const { gateServer: origins = [], gateTokensFile: file } = values
  const by = givenBy('gateTokensFile')
  const authorizations = file === undefined ? new Map() : authorizationsIn(file, by, origins)
  return origins.map((origin) => ({ origin, authorization: authorizations.get(origin) ?? null }))
}
