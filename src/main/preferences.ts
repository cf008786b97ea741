import { z } from 'zod'
import { Preferences } from '../shared/console/shell.ts'
import { readJsonFile, writeJsonFile } from './json-file.ts'

/** Where the server listens. */
export const Address = z.strictObject({
  host: z.string().trim().min(1, 'is required').max(255, 'must be at most 255 characters'),
  /** 0 takes any port that is free. */
  port: z
    .int('must be a whole number')
    .min(0, 'must be 0 to 65535')
    .max(65_535, 'must be 0 to 65535'),
})
export type Address = z.infer<typeof Address>

const DEFAULTS = {
  preferences: { startAtLogin: false, closeToTray: true, theme: 'system' },
  address: { host: '127.0.0.1', port: 8440 },
} as const

const { startAtLogin, closeToTray, theme } = Preferences.shape
const Settings = z.strictObject({
  preferences: z
    .strictObject({
      startAtLogin: startAtLogin.default(DEFAULTS.preferences.startAtLogin),
      closeToTray: closeToTray.default(DEFAULTS.preferences.closeToTray),
      theme: theme.default(DEFAULTS.preferences.theme),
    })
    .prefault({}),
  address: z
    .strictObject({
      host: Address.shape.host.default(DEFAULTS.address.host),
      port: Address.shape.port.default(DEFAULTS.address.port),
    })
    .prefault({}),
})

/** What the desktop app remembers from one start to the next, in one file. */
export class SettingsFile {
  readonly #file: string
  #settings: z.output<typeof Settings>

  /** What is missing in the file, and all of a broken one, has its default. */
  constructor(file: string) {
    this.#file = file
    this.#settings = readJsonFile(file, Settings)
  }

  get preferences(): Preferences {
    return this.#settings.preferences
  }

  get address(): Address {
    return this.#settings.address
  }

  setPreferences(change: Partial<Preferences>): Preferences {
    this.#save({ ...this.#settings, preferences: { ...this.preferences, ...change } })
    return this.preferences
  }

  setAddress(address: Address): void {
    this.#save({ ...this.#settings, address })
  }

  #save(settings: z.output<typeof Settings>): void {
    writeJsonFile(this.#file, settings)
    this.#settings = settings
  }
}
