import { z } from 'zod'
import { boundedNumber } from '../bounded-number.ts'
import { Timestamp } from '../names.ts'
import { PublicUrl } from '../public-url.ts'
import { DEFAULT_HOST, SERVER_NUMBERS } from '../server-numbers.ts'
import { StartFailure } from '../start-failure.ts'
import { includesEveryAddress } from '../trusted-proxy.ts'
import { SettingIssue, TlsReport } from './setting-issue.ts'

const { port, limits, budgets, backups, hosting, maxConnections, ...days } = SERVER_NUMBERS

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

/** Requests a minute, 0 for no limit. */
export const Limits = z.strictObject({
  /** Per client address: update checks and the feed. */
  device: boundedNumber(limits.device),
  /** Per key. */
  key: boundedNumber(limits.key),
  /** Per client address: refused keys. */
  rejectedKey: boundedNumber(limits.rejectedKey),
})

/** Limits for callers without a key. */
export const BudgetLimits = z.strictObject({
  /** Per app: versions and platforms that no release and no key names. */
  combinations: boundedNumber(budgets.combinations),
  /** New devices per hour and address, 0 for no limit. */
  newDevices: boundedNumber(budgets.newDevices),
  /** Bytes of a device's labels. */
  labelBytes: boundedNumber(budgets.labelBytes),
  /** Minimum free disk space for checks without a key to add rows, 0 for no limit. */
  minFreeDiskMiB: boundedNumber(budgets.minFreeDiskMiB),
})

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
  limits: Limits,
  /** Maximum open connections. An address can have a tenth of them. */
  maxConnections: boundedNumber(maxConnections),
  budgets: BudgetLimits,
  /** Proxies whose `X-Forwarded-For` counts. */
  trustProxy: z.array(TrustedProxy).max(100, 'must be at most 100 proxies'),
})
export type Security = z.infer<typeof Security>

export const BackupPlan = z.strictObject({
  /** Hours between backups; 0 for manual backups only. */
  everyHours: boundedNumber(backups.everyHours),
  /** Copies that are kept; the oldest goes when there is one more. */
  keep: boundedNumber(backups.keep),
  /** Null is the folder `backups` in the data folder. */
  folder: path.nullable(),
})

export const DataRules = z.strictObject({
  /** Days that check-ins are kept; 0 means forever. */
  keepCheckInDays: boundedNumber(days.keepCheckInDays),
  /** Days since last seen after which a device is deleted, 0 for never. */
  keepDeviceDays: boundedNumber(days.keepDeviceDays),
  /** The same for devices seen once without a key; 0 treats them like the others. */
  keepSeenOnceDays: boundedNumber(days.keepSeenOnceDays),
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
    /** Most GiB of all files; 0 for no limit. */
    quotaGiB: boundedNumber(hosting.quotaGiB),
    /** Downloads at the same time; 0 for no limit. */
    downloads: boundedNumber(hosting.downloads),
    /** The same for one network: an IPv4 /24 or IPv6 /48. */
    networkDownloads: boundedNumber(hosting.networkDownloads),
    /** KiB per second of all downloads together; 0 for no limit. */
    rate: boundedNumber(hosting.rate),
    /** The same for one client address. */
    clientRate: boundedNumber(hosting.clientRate),
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
export type SectionName = z.infer<typeof SectionName>

/** The defaults. */
export const DEFAULT_SETTINGS: ServerSettings = {
  address: { host: DEFAULT_HOST, port: port.default },
  security: {
    tls: null,
    limits: {
      device: limits.device.default,
      key: limits.key.default,
      rejectedKey: limits.rejectedKey.default,
    },
    budgets: {
      combinations: budgets.combinations.default,
      newDevices: budgets.newDevices.default,
      labelBytes: budgets.labelBytes.default,
      minFreeDiskMiB: budgets.minFreeDiskMiB.default,
    },
    maxConnections: maxConnections.default,
    trustProxy: [],
  },
  data: {
    keepCheckInDays: days.keepCheckInDays.default,
    keepDeviceDays: days.keepDeviceDays.default,
    keepSeenOnceDays: days.keepSeenOnceDays.default,
    // Unlike `serve`, the desktop app makes a backup every day.
    backups: { everyHours: 24, keep: backups.keep.default, folder: null },
  },
  files: {
    ...{ isOn: false, folder: null, publicUrl: '' },
    quotaGiB: hosting.quotaGiB.default,
    downloads: hosting.downloads.default,
    networkDownloads: hosting.networkDownloads.default,
    rate: hosting.rate.default,
    clientRate: hosting.clientRate.default,
  },
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
