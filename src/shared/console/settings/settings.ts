import { z } from 'zod'
import { mapEach } from '../../basics/map-each.ts'
import { Timestamp } from '../../names.ts'
import { includesEveryAddress, PublicUrl } from '../../operation/public-url.ts'
import {
  boundedNumber,
  DEFAULT_HOST,
  type NumberBounds,
  SERVER_NUMBERS,
} from '../../operation/server-numbers.ts'
import { StartFailure } from '../../operation/start-failure.ts'
import { SettingIssue, TlsReport } from './setting-issue.ts'

const { port, limits, budgets, connections, retention, backups, hosting } = SERVER_NUMBERS
const preset = (number: NumberBounds) => number.default

const path = z
  .string()
  .trim()
  .min(1, 'is required: choose a file')
  .max(4_096, 'must be at most 4096 characters')

/** The address to listen on. */
export const Address = z.strictObject({
  host: z
    .string()
    .trim()
    .min(1, 'is required')
    .max(255, 'must be at most 255 characters')
    .regex(
      /^[\w.:-]+$/,
      'must be an address of this machine, such as 192.168.1.20, or 0.0.0.0 for every network',
    ),
  /** 0 takes any port that is free. */
  port: boundedNumber(port),
})
export type Address = z.infer<typeof Address>

/** Files in PEM. */
export const TlsFiles = z.strictObject({ certFile: path, keyFile: path })
export type TlsFiles = z.infer<typeof TlsFiles>

const EVERYBODY =
  'includes every address, so every client could fake its own. Enter the addresses of your proxies.'
const PROXY = 'must be an address, a range such as 10.0.0.0/8, loopback, linklocal or uniquelocal'
const TrustedProxy = z
  .string()
  .trim()
  .refine((text) => ProxyForm.safeParse(text).success && !DOTTED_IPV6.test(text), PROXY)
  .refine((text) => !includesEveryAddress(text), EVERYBODY)
/** The server reads an IPv4 address within an IPv6 address only after `::ffff:`. */
const DOTTED_IPV6 = /^(?!::ffff:\d).*:.*\./i
const ProxyForm = z.union([
  z.enum(['loopback', 'linklocal', 'uniquelocal']),
  z.ipv4(),
  z.ipv6(),
  z.cidrv4(),
  z.cidrv6(),
])

export const Security = z.strictObject({
  /** Null serves plain HTTP. */
  tls: TlsFiles.nullable(),
  limits: z.strictObject(mapEach(limits, boundedNumber)),
  budgets: z.strictObject(mapEach(budgets, boundedNumber)),
  ...mapEach(connections, boundedNumber),
  /** Proxies whose `X-Forwarded-For` counts. */
  trustProxy: z.array(TrustedProxy).max(100, 'must be at most 100 proxies'),
})
export type Security = z.infer<typeof Security>

const BackupPlan = z.strictObject({
  ...mapEach(backups, boundedNumber),
  /** Null is the folder `backups` in the data folder. */
  folder: path.nullable(),
})

export const DataRules = z.strictObject({
  ...mapEach(retention, boundedNumber),
  backups: BackupPlan,
})
export type DataRules = z.infer<typeof DataRules>

/** The files that the server stores for devices. */
export const FileStorage = z
  .strictObject({
    /** Off keeps what is stored, but serves none of it. */
    isOn: z.boolean(),
    /** Null is the folder `artifacts` in the data folder. */
    folder: path.nullable(),
    /** Base address of the server as devices reach it; required if it is on. */
    publicUrl: z.string().trim().max(512, 'must be at most 512 characters'),
    ...mapEach(hosting, boundedNumber),
  })
  .superRefine(({ isOn, publicUrl }, context) => {
    if (!isOn) return
    for (const { message } of PublicUrl.safeParse(publicUrl).error?.issues ?? []) {
      context.addIssue({ code: 'custom', path: ['publicUrl'], message })
    }
  })
export type FileStorage = z.infer<typeof FileStorage>

/** How the desktop app runs its server, by the sections of the screen. */
export const ServerSettings = z.strictObject({
  address: Address,
  security: Security,
  data: DataRules,
  files: FileStorage,
})
export type ServerSettings = z.infer<typeof ServerSettings>

export const SectionName = ServerSettings.keyof()

/** The defaults. */
export const DEFAULT_SETTINGS: ServerSettings = {
  address: { host: DEFAULT_HOST, port: port.default },
  security: {
    tls: null,
    limits: mapEach(limits, preset),
    budgets: mapEach(budgets, preset),
    ...mapEach(connections, preset),
    trustProxy: [],
  },
  data: {
    ...mapEach(retention, preset),
    // Unlike `serve`, the desktop app makes a backup every day.
    backups: { ...mapEach(backups, preset), everyHours: 24, folder: null },
  },
  files: { isOn: false, folder: null, publicUrl: '', ...mapEach(hosting, preset) },
}

/** One or more sections, each whole. */
export const SettingsChange = z.strictObject({
  address: Address.exactOptional(),
  security: Security.exactOptional(),
  data: DataRules.exactOptional(),
  files: FileStorage.exactOptional(),
})
export type SettingsChange = z.infer<typeof SettingsChange>

/** Settings with which the server did not start; it went back to those that it ran with before. */
export const NotApplied = z.strictObject({
  /** The sections that were not applied; those of `settings` count for nothing else. */
  sections: z.array(SectionName),
  settings: ServerSettings,
  failure: StartFailure,
  at: Timestamp,
})
export type NotApplied = z.infer<typeof NotApplied>

/** Which section is discarded; all of them if it is left out. */
export const DiscardedSection = z.strictObject({
  section: SectionName.exactOptional(),
})
export type DiscardedSection = z.infer<typeof DiscardedSection>

export const SettingsView = z.strictObject({
  settings: ServerSettings,
  notApplied: NotApplied.nullable(),
  /** About the TLS files as they are now; null without TLS. */
  tls: TlsReport.nullable(),
  /** The default folder of backups. */
  usualBackupFolder: z.string(),
  /** The default folder of stored files. */
  usualFilesFolder: z.string(),
})
export type SettingsView = z.infer<typeof SettingsView>

/** A refused change has changed nothing; `field` is the member that is wrong, by its path. */
export const SettingsSaved = z.discriminatedUnion('ok', [
  /** `restarts`: the server is being restarted with what was saved. */
  z.strictObject({ ok: z.literal(true), restarts: z.boolean() }),
  z.strictObject({ ok: z.literal(false), field: z.string(), issue: SettingIssue }),
])
export type SettingsSaved = z.infer<typeof SettingsSaved>

/** What the system's dialog is opened for. */
export const FileKind = z.enum(['certificate', 'key', 'backup'])
export type FileKind = z.infer<typeof FileKind>

/** What a folder is chosen for. */
export const FolderKind = z.enum(['backups', 'files'])
export type FolderKind = z.infer<typeof FolderKind>
