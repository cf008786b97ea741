import type { ServerProcessConfig } from '../../shared/console/desktop/server-process.ts'
import type { ServerSettings } from '../../shared/console/settings/settings.ts'
import { usualFilesFolder } from '../settings/paths.ts'

/** Returns the configuration that a server process gets at its start. */
export function serverConfig(dataFolder: string, settings: ServerSettings): ServerProcessConfig {
  const { address, data, files } = settings
  const { tls, ...security } = settings.security
  const { backups, ...retention } = data
  const { folder, ...plan } = backups
  return {
    dataFolder,
    ...address,
    ...(tls === null ? {} : { tls }),
    ...security,
    ...retention,
    backups: { ...plan, ...(folder === null ? {} : { folder }) },
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
