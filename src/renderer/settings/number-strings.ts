import type { NumberGroups } from '../../shared/operation/server-numbers.ts'

/** What the field of a number says. */
export interface NumberText {
  readonly label: string
  readonly description: string
  /** What the number counts, shown in the field. */
  readonly unit?: string
  /** What 0 means: `Unlimited`. */
  readonly zero?: string
}

/** The fields of the numbers in the server's settings, in the order of the screen. */
export const NUMBERS: {
  readonly [Group in keyof NumberGroups]: Readonly<Record<keyof NumberGroups[Group], NumberText>>
} = {
  limits: {
    device: { label: 'Requests without a key', description: 'Per IP address' },
    key: { label: 'Requests with a key', description: 'Per API key' },
    rejectedKey: { label: 'Requests with an invalid key', description: 'Per IP address' },
  },
  budgets: {
    newDevices: {
      label: 'New devices per hour',
      description: 'Per IP address',
      zero: 'Unlimited',
    },
    sessions: {
      label: 'App sessions per hour',
      description: 'Per IP address, for crash-free shares',
      zero: 'Unlimited',
    },
    combinations: {
      label: 'Unreleased versions',
      description: 'Unknown versions and platforms, per app',
    },
    labelBytes: {
      label: 'Labels per device',
      description: 'Size of all keys and values',
      unit: 'bytes',
    },
    minFreeDiskMiB: {
      label: 'Minimum free disk space',
      description: 'Store nothing new below this',
      zero: 'No limit',
      unit: 'MiB',
    },
  },
  connections: {
    maxConnections: {
      label: 'Open connections',
      description: 'Maximum. One IP address can use a tenth of them.',
    },
  },
  retention: {
    keepCheckInDays: {
      label: 'Keep check-ins',
      description: 'Statistics are kept',
      unit: 'days',
      zero: 'Forever',
    },
    keepDeviceDays: {
      label: 'Keep devices',
      description: 'Since last seen',
      unit: 'days',
      zero: 'Forever',
    },
    keepSeenOnceDays: {
      label: 'Keep devices seen once',
      description: 'Since last seen',
      unit: 'days',
      zero: 'Same as other devices',
    },
  },
  backups: {
    everyHours: {
      label: 'Back up every',
      description: 'Time between two backups',
      zero: 'Off',
      unit: 'hours',
    },
    keep: { label: 'Backups to keep', description: 'Older backups are deleted' },
  },
  hosting: {
    quotaGiB: {
      label: 'Quota',
      description: 'All files together',
      zero: 'Unlimited',
      unit: 'GiB',
    },
    patchSpaceMiB: {
      label: 'Space for patches',
      description: 'In addition to the quota',
      zero: 'No patches',
      unit: 'MiB',
    },
    downloads: {
      label: 'Downloads at a time',
      description: 'All clients together',
      zero: 'Unlimited',
    },
    networkDownloads: {
      label: 'Downloads per network',
      description: 'Per IPv4 /24 or IPv6 /48',
      zero: 'Unlimited',
    },
    rate: {
      label: 'Download rate',
      description: 'All downloads together',
      zero: 'Unlimited',
      unit: 'KiB/s',
    },
    clientRate: {
      label: 'Download rate per client',
      description: 'Per IP address',
      zero: 'Unlimited',
      unit: 'KiB/s',
    },
  },
}
