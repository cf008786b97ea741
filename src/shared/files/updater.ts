import { z } from 'zod'

/** The clients that devices ask with. `update_check`: an app with an updater of its own, which installs any file. */
export const UpdaterClient = z.enum([
  'update_check',
  'tauri',
  'electron_updater',
  'squirrel_mac',
  'squirrel_windows',
  'sparkle',
  'velopack',
])
export type UpdaterClient = z.infer<typeof UpdaterClient>

/** Updaters whose documents carry a signature. */
export const SignedUpdater = z.enum(['electron', 'sparkle'])
export type SignedUpdater = z.infer<typeof SignedUpdater>
/** Updaters whose documents are served as they are. */
export const DocumentUpdater = z.enum([...SignedUpdater.options, 'squirrel', 'velopack'])
export type DocumentUpdater = z.infer<typeof DocumentUpdater>

/** Whose documents the feed of a client serves; none for a client that reads no documents. */
export const DOCUMENTS_OF: Readonly<Partial<Record<UpdaterClient, DocumentUpdater>>> = {
  electron_updater: 'electron',
  sparkle: 'sparkle',
  squirrel_windows: 'squirrel',
  velopack: 'velopack',
}

/** The code to copy into an app with one of the updaters, and into the scripts that publish it. */
export const SnippetId = z.enum([
  'tauri_configuration',
  'tauri_javascript',
  'tauri_rust',
  'electron_configuration',
  'electron_updater',
  'electron_squirrel',
  'sparkle_configuration',
  'sparkle_swift',
  'velopack',
  'other',
  'publish',
  'try',
])
export type SnippetId = z.infer<typeof SnippetId>
