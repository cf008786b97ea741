import { z } from 'zod'

/** Bounds and default of a whole number in the server's settings. */
export interface NumberBounds {
  readonly min: number
  readonly max: number
  readonly default: number
  /** The command line accepts more than `max`, which then bounds the settings of the desktop app only. */
  readonly unbounded?: true
}

/** A number that `serve` has an option for. Its help is in the strings of `serve`, under the name of the option. */
export interface NumberOption extends NumberBounds {
  /** Name in the configuration file: `deviceLimit` is `--device-limit`. */
  readonly option: string
  /** Placeholder of the option's value. */
  readonly argument: `<${string}>`
}

/** Numbers by their names in the configuration of the server and in the settings of the desktop app. */
type NumberGroup = Readonly<Record<string, NumberBounds | NumberOption>>

/** The default address to listen on: this computer only. */
export const DEFAULT_HOST = '127.0.0.1'

const COUNT = { argument: '<n>', min: 0, unbounded: true } as const
const MUCH = { min: 0, max: 1_048_576, unbounded: true } as const
const DAYS = { argument: '<days>', min: 0, max: 36_500, unbounded: true } as const
const RATE = { argument: '<KiB/s>', min: 0, max: 104_857_600, default: 0, unbounded: true } as const

/**
 * The numbers in the server's settings, in the order of the help of `serve`. `ServerConfig`, the options, variables and
 * file of `serve`, the message that starts the server of the desktop app, its settings and their fields in the console
 * are made from them.
 */
export const SERVER_NUMBERS = {
  /** 0 takes any port that is free. */
  port: { min: 0, max: 65_535, default: 8_440 },
  /** Requests per minute, 0 for no limit. */
  limits: {
    /** Per client address: everything that needs no key, except health. */
    device: { option: 'deviceLimit', ...COUNT, max: 1_000_000, default: 600 },
    /** Per key. */
    key: { option: 'keyLimit', ...COUNT, max: 1_000_000, default: 600 },
    /** Per client address: refused keys. */
    rejectedKey: { min: 0, max: 1_000_000, default: 30, unbounded: true },
  },
  /** For callers without a key. Beyond them, checks are still answered. */
  budgets: {
    /** Per app: combinations of version, platform and arch that no release and no key names. */
    combinations: {
      option: 'unreleasedLimit',
      argument: '<n>',
      min: 0,
      max: 100_000,
      default: 2_000,
    },
    /** New devices per hour and address (IPv6: /64), 0 for no limit. */
    newDevices: { option: 'newDeviceLimit', ...COUNT, max: 1_000_000, default: 1_000 },
    /** Sessions that an address (IPv6: /64) adds per hour, 0 for no limit. */
    sessions: { option: 'sessionLimit', ...COUNT, max: 1_000_000, default: 10_000 },
    /** UTF-8 bytes of the keys and values of a device's labels, with or without a key. */
    labelBytes: { option: 'labelBytes', argument: '<n>', min: 256, max: 65_536, default: 4_096 },
    /** Minimum free MiB on the disk of the data folder for them to add rows, 0 for no limit. */
    minFreeDiskMiB: { option: 'minFreeDisk', ...MUCH, argument: '<MiB>', default: 512 },
  },
  connections: {
    /** Maximum open connections. An address can have a tenth of them. */
    maxConnections: {
      option: 'maxConnections',
      argument: '<n>',
      min: 10,
      max: 1_000_000,
      default: 10_000,
    },
  },
  /** In days. */
  retention: {
    /** How long check-ins are kept; 0 means forever. Counters are always kept forever. */
    keepCheckInDays: { option: 'keepCheckIns', ...DAYS, default: 90 },
    /** Since last seen, after which a device is deleted, 0 for never. Adoption history stays. */
    keepDeviceDays: { option: 'keepDevices', ...DAYS, default: 400 },
    /** The same for devices seen only once, without a key; 0 treats them as the others. */
    keepSeenOnceDays: { option: 'keepSeenOnce', ...DAYS, default: 30 },
  },
  backups: {
    /** Hours between backups; 0 for manual backups only. */
    everyHours: { option: 'backupEvery', argument: '<hours>', min: 0, max: 8_760, default: 0 },
    /** Copies that are kept; the oldest goes when there is one more. */
    keep: { option: 'backupKeep', argument: '<n>', min: 1, max: 1_000, default: 7 },
  },
  /** Files that devices download from the server, 0 for no limit unless something else is said. */
  hosting: {
    /** Most GiB of all files. */
    quotaGiB: { option: 'artifactsQuota', ...MUCH, argument: '<GiB>', default: 0 },
    /** Most MiB of the patches of those files, which are not part of that; 0 for no patches. */
    patchSpaceMiB: { option: 'patchSpace', ...MUCH, argument: '<MiB>', default: 1_024 },
    /** Downloads at the same time. */
    downloads: { option: 'downloads', ...COUNT, max: 100_000, default: 500 },
    /** The same for one network: an IPv4 /24 or IPv6 /48. */
    networkDownloads: { option: 'networkDownloads', ...COUNT, max: 100_000, default: 100 },
    /** KiB per second of all downloads together. */
    rate: { option: 'downloadRate', ...RATE },
    /** The same for one client address. */
    clientRate: { option: 'clientDownloadRate', ...RATE },
  },
  /** As a setting, 0 is for no metrics; in the configuration of a server, it takes any port that is free. */
  metricsPort: { min: 0, max: 65_535, default: 0 },
} as const satisfies Record<string, NumberBounds | NumberGroup>

type Numbers = typeof SERVER_NUMBERS

/** Groups of numbers, each with the values of all of them. */
export type NumberGroups = {
  readonly [Group in Exclude<keyof Numbers, 'port' | 'metricsPort'>]: Readonly<
    Record<keyof Numbers[Group], number>
  >
}

/** Returns the schema of a whole number between its bounds. */
export function boundedNumber({ min, max }: NumberBounds) {
  const issue = `must be ${min} to ${max}`
  return z.int('must be a whole number').min(min, issue).max(max, issue)
}

/** Returns the schema of a setting of the server: only as bounded as it is there, and with its default. */
export function serverNumber(bounds: NumberBounds) {
  const { min, unbounded = false, default: preset } = bounds
  const number = unbounded
    ? z.int('must be a whole number').min(min, 'must not be negative')
    : boundedNumber(bounds)
  return number.default(preset)
}
