import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** What the built app is started on. */
export interface Runtime {
  /** For `ELECTRON_OVERRIDE_DIST_PATH`. */
  readonly folder: string
  readonly isDouble: boolean
  /** Which it is, and why, in a line. */
  readonly name: string
}

const ROOT = resolve(import.meta.dirname, '../..')

/** Real Electron where there is its binary and a display, else the double. */
export function chooseRuntime(): Runtime {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env
  const hasDisplay = process.platform !== 'linux' || Boolean(DISPLAY || WAYLAND_DISPLAY)
  const electron = hasDisplay ? electronFolder() : undefined
  if (electron !== undefined) {
    return { folder: electron, isDouble: false, name: `Electron in ${electron}` }
  }
  const reason = hasDisplay ? 'there is no Electron binary' : 'there is no display'
  const folder = join(ROOT, 'test/electron-double')
  return { folder, isDouble: true, name: `the double, test/electron-double: ${reason}` }
}

/** Electron's folder, where its binary was downloaded or put. */
function electronFolder(): string | undefined {
  const module = join(ROOT, 'node_modules/electron')
  const pathFile = join(module, 'path.txt')
  const binary = existsSync(pathFile) ? readFileSync(pathFile, 'utf8') : 'electron'
  const folders = [process.env.ELECTRON_OVERRIDE_DIST_PATH, join(module, 'dist')]
  return folders.find((folder) => folder !== undefined && existsSync(join(folder, binary)))
}
