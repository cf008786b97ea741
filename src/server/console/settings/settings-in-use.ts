import type { SettingsInUse } from '../../../shared/console/status.ts'
import type { ServerConfig } from '../../config.ts'

/** Returns the settings of a server that people may see: no secrets. */
export function settingsInUse(config: ServerConfig): SettingsInUse {
  const { host, console: offered, trustProxy, limits, budgets, maxConnections } = config
  const { keepCheckInDays, keepDeviceDays, keepSeenOnceDays, backups, hosting } = config
  return {
    host,
    console: offered?.mode ?? 'off',
    trustProxy: [...trustProxy],
    limits,
    budgets,
    connections: { maxConnections },
    retention: { keepCheckInDays, keepDeviceDays, keepSeenOnceDays },
    backups: { everyHours: backups.everyHours, keep: backups.keep },
    hosting: hosting === undefined ? null : numbersOf(hosting),
  }
}

function numbersOf(hosting: NonNullable<ServerConfig['hosting']>): SettingsInUse['hosting'] {
  const { quotaGiB, patchSpaceMiB, downloads, networkDownloads, rate, clientRate } = hosting
  return { quotaGiB, patchSpaceMiB, downloads, networkDownloads, rate, clientRate }
}
