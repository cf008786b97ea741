import type { ServerProcessConfig } from '../../shared/console/server-process.ts'
import type { ServerSettings } from '../../shared/console/settings.ts'
import { usualFilesFolder } from '../settings/paths.ts'

/** Returns the configuration that a server process gets at its start. */
export function serverConfig(dataFolder: string, settings: ServerSettings): ServerProcessConfig {
  const { address, security, data, files } = settings
  const { everyHours, keep, folder } = data.backups
  return {
    dataFolder,
    ...address,
    ...(security.tls === null ? {} : { tls: security.tls }),
    limits: security.limits,
    budgets: security.budgets,
    maxConnections: security.maxConnections,
    trustProxy: security.trustProxy,
    keepCheckInDays: data.keepCheckInDays,
    keepDeviceDays: data.keepDeviceDays,
    keepSeenOnceDays: data.keepSeenOnceDays,
    backups: { everyHours, keep, ...(folder === null ? {} : { folder }) },
    ...hostingOf(dataFolder, files),
  }
}

function hostingOf(
  dataFolder: string,
  { isOn, folder, ...hosting }: ServerSettings['files'],
): Pick<ServerProcessConfig, 'hosting'> {
  if (!isOn) return {}
  return { hosting: { ...hosting, folder: folder ?? usualFilesFolder(dataFolder) } }
}
