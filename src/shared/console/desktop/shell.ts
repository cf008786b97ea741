import { z } from 'zod'
import { OwnName } from '../../names.ts'
import { StartFailure } from '../../operation/start-failure.ts'
import type { Fingerprint } from './remote-servers.ts'

/** The server process, as the main process sees it. */
export const ServerState = z.discriminatedUnion('state', [
  z.strictObject({
    state: z.literal('starting'),
    /** Whether the database is being upgraded, which can take long. */
    upgrading: z.boolean().optional(),
  }),
  z.strictObject({ state: z.literal('running'), address: z.url() }),
  z.strictObject({
    state: z.literal('restarting'),
    /** Of the process that ended. */
    exitCode: z.int(),
    /** Whether it had been ready before. */
    wasReady: z.boolean(),
    /** Unix time in milliseconds of the next try. */
    nextTryAt: z.number(),
  }),
  z.strictObject({
    /** It does not come up by itself: something has to be done first. */
    state: z.literal('failed'),
    failure: StartFailure,
  }),
  z.strictObject({ state: z.literal('stopped') }),
])
export type ServerState = z.infer<typeof ServerState>

/** The server in use, as the page sees it: the connection to it can be lost. */
export type ServerReach =
  | ServerState
  /** `nextTryAt`: Unix time in milliseconds. `outOfContact`: it said that it cannot reach its database. */
  | { readonly state: 'unreachable'; readonly nextTryAt: number; readonly outOfContact?: true }
  /** A remote server of the desktop app needs a sign-in. */
  | { readonly state: 'signed_out' }
  /** It answers with a certificate that is not the pinned one, or not trusted; null if none was pinned. */
  | {
      readonly state: 'certificate_refused'
      readonly pinned: Fingerprint | null
      readonly presented: Fingerprint
    }

/** Most saved filters of one screen. */
export const MAX_SAVED_FILTERS = 50

/** Filters of a list under a name, as its screen's address has them: `app=editor&channel=beta`. */
export const SavedFilter = z.strictObject({ name: OwnName, query: z.string().max(2_000) })
export type SavedFilter = z.infer<typeof SavedFilter>

/** Settings of the desktop app itself. */
export const Preferences = z.strictObject({
  startAtLogin: z.boolean(),
  closeToTray: z.boolean(),
  theme: z.enum(['system', 'light', 'dark']),
  /** In which the console shows times. */
  timeZone: z.enum(['local', 'utc']),
  savedDeviceFilters: z.array(SavedFilter).max(MAX_SAVED_FILTERS),
  /** Whether to check once a day for a new version of Tidegate. */
  checkForUpdates: z.boolean(),
  /** Base URL of the update server. */
  updateServer: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .max(2_000),
})
export type Preferences = z.infer<typeof Preferences>

/** The preferences to change. The others keep their values. */
export const PreferencesChange = Preferences.exactPartial()
export type PreferencesChange = z.infer<typeof PreferencesChange>

export const DEFAULT_PREFERENCES: Preferences = {
  startAtLogin: false,
  closeToTray: true,
  theme: 'system',
  timeZone: 'local',
  savedDeviceFilters: [],
  checkForUpdates: true,
  // A placeholder under .invalid, which RFC 2606 reserves: set your own update server to distribute builds.
  updateServer: 'https://updates.tidegate.invalid',
}

/** What an item of the application's menu opens in the page. */
export const MenuCommand = z.enum([
  'palette',
  'overview',
  'fleet',
  'releases',
  'publish',
  'calendar',
  'approvals',
  'devices',
  'apps',
  'keys',
  'people',
  'webhooks',
  'audit',
  'settings',
])
export type MenuCommand = z.infer<typeof MenuCommand>

/** The key of an item of that menu, which is pressed together with Ctrl, or Command on macOS. */
export const MENU_KEYS: Readonly<Partial<Record<MenuCommand, string>>> = {
  palette: 'K',
  publish: 'N',
  overview: '1',
  fleet: '2',
  releases: '3',
  calendar: '4',
  approvals: '5',
  devices: '6',
  apps: '7',
  keys: '8',
  people: '9',
  settings: ',',
}

/** Characters of the longest text that is saved to a file. */
export const MAX_SAVED_CHARACTERS = 128 * 1_024 * 1_024

/** A text to save in a file that the person chooses. */
export const FileToSave = z.strictObject({
  /** The file name that the dialog suggests; its extension is the type of the file. */
  suggestedName: z
    .string()
    .regex(
      /^[\w-][\w .-]{0,99}\.(csv|json|md|txt)$/,
      'must be a plain file name that ends in .csv, .json, .md or .txt',
    ),
  text: z.string().max(MAX_SAVED_CHARACTERS, 'is too long for one file'),
})
export type FileToSave = z.infer<typeof FileToSave>

/** Why a file could not be written. `detail`: what the operating system reported. */
export const WriteFailure = z.strictObject({
  path: z.string(),
  reason: z.enum(['disk_full', 'not_allowed', 'is_folder', 'folder_missing', 'in_use', 'other']),
  detail: z.string(),
})
export type WriteFailure = z.infer<typeof WriteFailure>

/** What became of a file to save. */
export const SaveOutcome = z.discriminatedUnion('outcome', [
  z.strictObject({ outcome: z.literal('saved'), path: z.string() }),
  z.strictObject({ outcome: z.literal('cancelled') }),
  /** Nothing was written; a file that was there before is as it was. */
  z.strictObject({ outcome: z.literal('failed'), failure: WriteFailure }),
])
export type SaveOutcome = z.infer<typeof SaveOutcome>

/** Whether a new version of Tidegate is available. Times are ISO 8601, UTC. */
export const VersionState = z.discriminatedUnion('state', [
  /** The check is turned off. */
  z.strictObject({ state: z.literal('off') }),
  z.strictObject({ state: z.literal('unchecked') }),
  z.strictObject({ state: z.literal('current'), checkedAt: z.iso.datetime() }),
  z.strictObject({
    state: z.literal('available'),
    version: z.string(),
    checkedAt: z.iso.datetime(),
  }),
  /** The server gave no usable response. */
  z.strictObject({ state: z.literal('failed'), checkedAt: z.iso.datetime() }),
])
export type VersionState = z.infer<typeof VersionState>

/** The desktop app, for the person who reports a bug. */
export const About = z.strictObject({
  version: z.string(),
  electron: z.string(),
  chromium: z.string(),
  node: z.string(),
  platform: z.string(),
  dataFolder: z.string(),
  /** The address in the settings; port 0 is any free port. */
  address: z.strictObject({ host: z.string(), port: z.int() }),
})
export type About = z.infer<typeof About>
