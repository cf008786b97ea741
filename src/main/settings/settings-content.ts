import { z } from 'zod'
import {
  Address,
  BackupPlan,
  BudgetLimits,
  DataRules,
  DEFAULT_SETTINGS,
  FileStorage,
  Limits,
  NotApplied,
  Security,
  ServerSettings,
} from '../../shared/console/settings.ts'
import { DEFAULT_PREFERENCES, PreferencesChange } from '../../shared/console/shell.ts'

const DEFAULTS = {
  // Not every Linux desktop has a tray: on default GNOME, the window would just disappear.
  preferences: { ...DEFAULT_PREFERENCES, closeToTray: process.platform !== 'linux' },
  ...DEFAULT_SETTINGS,
} as const

const { device, key, rejectedKey } = Limits.shape
const { everyHours, keep, folder } = BackupPlan.shape
const { combinations, newDevices, labelBytes, minFreeDiskMiB } = BudgetLimits.shape
const { limits, budgets } = DEFAULTS.security
const { keepCheckInDays, keepDeviceDays, keepSeenOnceDays } = DataRules.shape
const { backups, ...kept } = DEFAULTS.data
const stored = FileStorage.shape

/** The settings file. What is left out has its default. */
export const SettingsContent = z.strictObject({
  preferences: PreferencesChange.prefault({}).transform((given) => ({
    ...DEFAULTS.preferences,
    ...given,
  })),
  address: z
    .strictObject({
      host: Address.shape.host.default(DEFAULTS.address.host),
      port: Address.shape.port.default(DEFAULTS.address.port),
    })
    .prefault({}),
  security: z
    .strictObject({
      tls: Security.shape.tls.default(null),
      limits: z
        .strictObject({
          device: device.default(limits.device),
          key: key.default(limits.key),
          rejectedKey: rejectedKey.default(limits.rejectedKey),
        })
        .prefault({}),
      budgets: z
        .strictObject({
          combinations: combinations.default(budgets.combinations),
          newDevices: newDevices.default(budgets.newDevices),
          labelBytes: labelBytes.default(budgets.labelBytes),
          minFreeDiskMiB: minFreeDiskMiB.default(budgets.minFreeDiskMiB),
        })
        .prefault({}),
      maxConnections: Security.shape.maxConnections.default(DEFAULTS.security.maxConnections),
      trustProxy: Security.shape.trustProxy.default([]),
    })
    .prefault({}),
  data: z
    .strictObject({
      keepCheckInDays: keepCheckInDays.default(kept.keepCheckInDays),
      keepDeviceDays: keepDeviceDays.default(kept.keepDeviceDays),
      keepSeenOnceDays: keepSeenOnceDays.default(kept.keepSeenOnceDays),
      backups: z
        .strictObject({
          everyHours: everyHours.default(backups.everyHours),
          keep: keep.default(backups.keep),
          folder: folder.default(null),
        })
        .prefault({}),
    })
    .prefault({}),
  files: z
    .strictObject({
      isOn: stored.isOn.default(DEFAULTS.files.isOn),
      folder: stored.folder.default(DEFAULTS.files.folder),
      publicUrl: stored.publicUrl.default(DEFAULTS.files.publicUrl),
      quotaGiB: stored.quotaGiB.default(DEFAULTS.files.quotaGiB),
      downloads: stored.downloads.default(DEFAULTS.files.downloads),
      networkDownloads: stored.networkDownloads.default(DEFAULTS.files.networkDownloads),
      rate: stored.rate.default(DEFAULTS.files.rate),
      clientRate: stored.clientRate.default(DEFAULTS.files.clientRate),
    })
    .prefault({})
    .pipe(FileStorage),
  /** The server ran with these last; left out once it runs with the ones above. */
  lastWorking: ServerSettings.optional().catch(undefined),
  notApplied: NotApplied.optional().catch(undefined),
})
export type SettingsContent = z.output<typeof SettingsContent>
