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
  /** ELECTRON_OVERRIDE_DIST_PATH: a folder with another Electron. */
  readonly override: string | undefined
}

/**
 * Returns Electron's executable if it is installed. Does not import the package `electron`, which
 * would download a missing executable.
 */
export function findElectronBinary(search: BinarySearch): string | undefined {
  const { packageFolder, platform, override } = search
  const name = installedName(packageFolder) ?? EXECUTABLES[platform] ?? 'electron'
  const binary = join(override || join(packageFolder, 'dist'), name)
  return existsSync(binary) ? binary : undefined
}

/** Returns the name that the package's installer has recorded. */
function installedName(packageFolder: string): string | undefined {
  try {
    return readFileSync(join(packageFolder, 'path.txt'), 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}
