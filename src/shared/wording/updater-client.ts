import type { UpdaterClient } from '../releases/release-check.ts'

/** The names of the clients that devices ask with. */
export const CLIENT_NAMES: Readonly<Record<UpdaterClient, string>> = {
  update_check: 'Update check',
  tauri: 'Tauri',
  electron_updater: 'electron-updater',
  squirrel_mac: 'Squirrel.Mac',
  squirrel_windows: 'Squirrel.Windows',
  sparkle: 'Sparkle',
  velopack: 'Velopack',
}
