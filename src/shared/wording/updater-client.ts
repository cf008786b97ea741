import type { DocumentUpdater, UpdaterClient } from '../files/updater.ts'

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

/** What makes the documents of an updater, and what they are. */
export const DOCUMENT_NAMES: Readonly<
  Record<DocumentUpdater, { readonly maker: string; readonly form: string }>
> = {
  electron: {
    maker: 'electron-builder',
    form: 'a manifest that electron-builder signed and electron-updater accepts',
  },
  sparkle: { maker: 'Sparkle', form: 'an appcast of one item that Sparkle signed and accepts' },
  squirrel: { maker: 'Squirrel.Windows', form: 'a RELEASES file of Squirrel.Windows' },
  velopack: { maker: 'Velopack', form: 'a releases.*.json of Velopack' },
}
