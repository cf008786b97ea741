import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const EXECUTABLES: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
}

export interface BinarySearch {
  /** Folder of the npm package `electron`. */
  readonly packageFolder: string
  readonly platform: NodeJS.Platform
  /** ELECTRON_OVERRIDE_DIST_PATH: a folder with an Electron of its own. */
  readonly override: string | undefined
}

/**
 * Electron's executable if it is on this machine. The package `electron` is not asked, since it
 * downloads the executable when it is imported and none is there.
 */
export function findElectronBinary(search: BinarySearch): string | undefined {
  const { packageFolder, platform, override } = search
  const name = installedName(packageFolder) ?? EXECUTABLES[platform] ?? 'electron'
  const binary = join(override || join(packageFolder, 'dist'), name)
  return existsSync(binary) ? binary : undefined
}

/** The file in which the package's installer notes what it unpacked. */
function installedName(packageFolder: string): string | undefined {
  try {
    return readFileSync(join(packageFolder, 'path.txt'), 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}
