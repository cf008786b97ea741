import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import {
  Address,
  BackupPlan,
  BudgetLimits,
  DataRules,
  DEFAULT_SETTINGS,
  Limits,
  Security,
  type ServerSettings,
  type SettingsChange,
} from '../../shared/console/settings.ts'
import { DEFAULT_PREFERENCES, Preferences } from '../../shared/console/shell.ts'
import { readJsonFile, writeJsonFile } from './json-file.ts'

const DEFAULTS = {
  // Not every Linux desktop has a tray: on default GNOME, the window would just disappear.
  preferences: { ...DEFAULT_PREFERENCES, closeToTray: process.platform !== 'linux' },
  ...DEFAULT_SETTINGS,
} as const

const { startAtLogin, closeToTray, theme, timeZone, checkForUpdates, updateServer } =
  Preferences.shape
const { device, key, rejectedKey } = Limits.shape
const { everyHours, keep, folder } = BackupPlan.shape
const { combinations, newDevices, labelBytes, minFreeDiskMiB } = BudgetLimits.shape
const { limits, budgets } = DEFAULTS.security
const { keepCheckInDays, keepDeviceDays, keepSeenOnceDays } = DataRules.shape
const { backups, ...kept } = DEFAULTS.data

const Settings = z.strictObject({
  preferences: z
    .strictObject({
      startAtLogin: startAtLogin.default(DEFAULTS.preferences.startAtLogin),
      closeToTray: closeToTray.default(DEFAULTS.preferences.closeToTray),
      theme: theme.default(DEFAULTS.preferences.theme),
      timeZone: timeZone.default(DEFAULTS.preferences.timeZone),
      checkForUpdates: checkForUpdates.default(DEFAULTS.preferences.checkForUpdates),
      updateServer: updateServer.default(DEFAULTS.preferences.updateServer),
    })
    .prefault({}),
  address: z
    .strictObject({
      host: Address.shape.host.default(DEFAULTS.address.host),
      port: Address.shape.port.default(DEFAULTS.address.port),
    })
    .prefault({}),
  security: z
    .strictObject({
      tls: Security.shape.tls.default(null),
      limits: z
        .strictObject({
          device: device.default(limits.device),
          key: key.default(limits.key),
          rejectedKey: rejectedKey.default(limits.rejectedKey),
        })
        .prefault({}),
      budgets: z
        .strictObject({
          combinations: combinations.default(budgets.combinations),
          newDevices: newDevices.default(budgets.newDevices),
          labelBytes: labelBytes.default(budgets.labelBytes),
          minFreeDiskMiB: minFreeDiskMiB.default(budgets.minFreeDiskMiB),
        })
        .prefault({}),
      maxConnections: Security.shape.maxConnections.default(DEFAULTS.security.maxConnections),
      trustProxy: Security.shape.trustProxy.default([]),
    })
    .prefault({}),
  data: z
    .strictObject({
      keepCheckInDays: keepCheckInDays.default(kept.keepCheckInDays),
      keepDeviceDays: keepDeviceDays.default(kept.keepDeviceDays),
      keepSeenOnceDays: keepSeenOnceDays.default(kept.keepSeenOnceDays),
      backups: z
        .strictObject({
          everyHours: everyHours.default(backups.everyHours),
          keep: keep.default(backups.keep),
          folder: folder.default(null),
        })
        .prefault({}),
    })
    .prefault({}),
})

/** What the desktop app remembers from one start to the next, in one file. */
export class SettingsFile {
  readonly #file: string
  #settings: z.output<typeof Settings>
  /** Where an invalid settings file was moved at startup; undefined if it was valid. */
  readonly brokenFile: string | undefined

  /**
   * Missing settings, and all settings of an invalid file, have their defaults. Throws when the file
   * exists but cannot be read: starting with the defaults would serve another address, without TLS.
   */
  constructor(file: string) {
    this.#file = file
    let brokenFile: string | undefined
    try {
      this.#settings = readJsonFile(file, Settings, (aside) => {
        brokenFile = aside
      })
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      const fix = 'Fix its permissions or move it elsewhere, then start Tidegate again.'
      throw new Error(`The settings file ${file} cannot be read: ${reason}. ${fix}`)
    }
    this.brokenFile = brokenFile
  }

  /** The preferences of the desktop app. */
  get preferences(): Preferences {
    return this.#settings.preferences
  }

  /** The settings that the server runs with. */
  get server(): ServerSettings {
    const { address, security, data } = this.#settings
    return { address, security, data }
  }

  /** Saves the given preferences and returns all. Throws the error of the file system. */
  setPreferences(change: Partial<Preferences>): Preferences {
    this.#save({ ...this.#settings, preferences: { ...this.preferences, ...change } })
    return this.preferences
  }

  /** Replaces sections. Returns whether anything changed. Throws the error of the file system. */
  setServer(change: SettingsChange): boolean {
    const next = { ...this.#settings, ...change }
    if (isDeepStrictEqual(next, this.#settings)) return false
    this.#save(next)
    return true
  }

  #save(settings: z.output<typeof Settings>): void {
    writeJsonFile(this.#file, settings)
    this.#settings = settings
  }
}
