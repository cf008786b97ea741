import { InvalidArgumentError } from 'commander'
import { z } from 'zod'
import { MailAddress } from '../../../shared/access/person.ts'
import { DisplayName } from '../../../shared/names.ts'
import { PublicUrl } from '../../../shared/operation/public-url.ts'
import { DEFAULT_HOST, SERVER_NUMBERS } from '../../../shared/operation/server-numbers.ts'
import { ServerConfig } from '../../config.ts'
import { FileName } from '../command/valid.ts'
import { text as config } from '../strings/config.ts'
import { text } from '../strings/serve.ts'
import { numberSettings } from './number-settings.ts'
import {
  choice,
  database,
  flag,
  folderOrBucket,
  list,
  number,
  optional,
  path,
  type Setting,
  word,
} from './setting.ts'

const { limits, budgets, connections, retention, backups, hosting } = SERVER_NUMBERS
const { issuer } = ServerConfig.shape.provider.unwrap().shape
const CONSOLE_MODES = ServerConfig.shape.console.unwrap().shape.mode.unwrap().options
const SMTP_TLS = ServerConfig.shape.mail.unwrap().shape.tls.options
/** The port for the submission of mail (RFC 6409). */
const SMTP_PORT = { min: 1, max: 65_535, default: 587 } as const
const ORIGIN_ISSUE = 'must be an http or https address without path'
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** As the `Host` field is compared: lower case and without a port. */
const HostName = z.string().regex(/^[a-z\d]([a-z\d.-]*[a-z\d])?$/, 'must be a host name')
/** As `URL` writes a host, so that it can be compared with the address of a webhook or push service. */
const PrivateHost = z
  .string()
  .regex(
    /^(\[[\da-f:.]+\]|[a-z\d]([a-z\d.-]*[a-z\d])?)(:\d{1,5})?$/,
    'must be a host, with or without a port',
  )
/** As `URL` writes an origin, so that it can be compared with the address of a gate's server. */
const GateOrigin = z
  .string()
  .refine((text) => /^https?:/.test(text) && URL.parse(text)?.origin === text, ORIGIN_ISSUE)
const ProxyName = z.string().min(1, 'must not be empty')

/** Every setting of `serve`, in the order of its help. The name is the file's field; option and variable follow from it. */
export const SETTINGS = {
  database: database('<url>', config.storage.database),
  databaseFile: path('<file>', config.storage.databaseFile),
  nodeName: optional('<name>', DisplayName, config.storage.nodeName, config.name),
  host: word('<host>', FileName, DEFAULT_HOST, text.host),
  port: number('<port>', SERVER_NUMBERS.port, text.port),
  ...numberSettings(limits),
  ...numberSettings(budgets),
  ...numberSettings(connections),
  trustProxy: list('<proxies>', ProxyName, text.trustProxy, config.proxies, requireProxies),
  console: choice('<mode>', CONSOLE_MODES, 'loopback', text.console),
  consoleHost: list(
    '<name>',
    HostName,
    text.consoleHost,
    config.hostNames,
    requireHosts(HostName, text.wrongHostName),
  ),
  consolePlainHttp: flag(text.consolePlainHttp),
  setupName: word('<name>', FileName, 'admin', text.setupName),
  setupPasswordFile: path('<file>', text.setupPasswordFile),
  oidcIssuer: optional('<url>', issuer, text.oidcIssuer, config.httpsAddress),
  oidcClientId: optional('<id>', FileName, text.oidcClientId),
  oidcClientSecretFile: path('<file>', text.oidcClientSecretFile),
  tlsCert: path('<file>', text.tlsCert),
  tlsKey: path('<file>', text.tlsKey),
  tlsSelfSigned: flag(text.tlsSelfSigned),
  ...numberSettings(retention),
  webhookPrivateHost: list(
    '<host>',
    PrivateHost,
    text.webhookPrivateHost,
    config.privateHosts,
    requireHosts(PrivateHost, text.wrongPrivateHost),
  ),
  push: choice('<mode>', ['on', 'off'], 'on', text.push),
  pushHost: list(
    '<host>',
    PrivateHost,
    text.pushHost,
    config.privateHosts,
    requireHosts(PrivateHost, text.wrongPrivateHost),
  ),
  gateServer: list('<url>', GateOrigin, text.gateServer, config.gateServers, requireGateOrigins),
  gateTokensFile: path('<file>', text.gateTokensFile),
  smtpHost: optional('<host>', FileName, text.smtpHost),
  smtpPort: number('<port>', SMTP_PORT, text.smtpPort),
  smtpTls: choice('<mode>', SMTP_TLS, 'starttls', text.smtpTls),
  smtpUser: optional('<name>', FileName, text.smtpUser),
  smtpPasswordFile: path('<file>', text.smtpPasswordFile),
  mailFrom: optional('<address>', MailAddress, text.mailFrom, config.mailAddress),
  ...numberSettings(backups),
  backupFolder: path('<dir>', text.backupFolder),
  artifacts: folderOrBucket('<place>', text.artifacts),
  s3Endpoint: optional('<url>', PublicUrl, text.s3Endpoint, config.httpAddress),
  s3Region: optional('<name>', FileName, text.s3Region),
  publicUrl: optional('<url>', PublicUrl, text.publicUrl, config.httpAddress),
  ...numberSettings(hosting),
  metricsPort: number('<port>', SERVER_NUMBERS.metricsPort, text.metricsPort),
  metricsHost: word('<host>', FileName, DEFAULT_HOST, text.metricsHost),
  stopWithParent: { ...flag(text.stopWithParent), isOfProcess: true },
  logLevel: choice('<level>', LOG_LEVELS, 'info', text.logLevel),
  logFile: path('<file>', text.logFile),
  accessLog: flag(text.accessLog),
} as const satisfies Record<string, Setting<never> | Setting<unknown>>

export type SettingName = keyof typeof SETTINGS

type ValueOf<Of> = Of extends Setting<infer Value> ? Value : never

export type Settings = { readonly [Name in SettingName]: ValueOf<(typeof SETTINGS)[Name]> }

/** The names of all settings. */
export const SETTING_NAMES: readonly SettingName[] = z
  .array(z.custom<SettingName>(isSettingName))
  .parse(Object.keys(SETTINGS))

/** Returns whether a setting has this name. */
export function isSettingName(name: unknown): name is SettingName {
  return typeof name === 'string' && Object.hasOwn(SETTINGS, name)
}

/** Returns the value of a setting as people may see it; null for none. */
export function shownValue(name: SettingName, value: unknown): unknown {
  const setting: Setting<unknown> = SETTINGS[name]
  return setting.shown === undefined ? (value ?? null) : setting.shown(value)
}

/** Returns the option of a setting: `--device-limit` for `deviceLimit`. */
export function optionOf(name: SettingName): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** Returns the environment variable of a setting: `TIDEGATE_DEVICE_LIMIT` for `deviceLimit`. */
export function variableOf(name: SettingName): string {
  return `TIDEGATE_${optionOf(name).slice(2).replaceAll('-', '_').toUpperCase()}`
}

function requireHosts(form: z.ZodType<string>, wrongHost: (host: string) => string) {
  return (named: readonly string[]): readonly string[] => {
    const hosts = named.map((host) => host.toLowerCase())
    const wrong = hosts.find((host) => !form.safeParse(host).success)
    if (wrong !== undefined) throw new InvalidArgumentError(wrongHost(wrong))
    return hosts
  }
}

function requireGateOrigins(named: readonly string[]): readonly string[] {
  return named.map((address) => {
    const url = URL.parse(address)
    const isOrigin = url !== null && url.href === `${url.origin}/`
    if (isOrigin && GateOrigin.safeParse(url.origin).success) return url.origin
    throw new InvalidArgumentError(text.wrongGateServer(address))
  })
}

function requireProxies(named: readonly string[]): readonly string[] {
  if (named.includes('')) throw new InvalidArgumentError(text.emptyProxy)
  return named
}
