import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import {
  DEFAULT_PREFERENCES,
  type Preferences,
  PreferencesChange,
} from '../../shared/console/desktop/shell.ts'
import {
  Address,
  DataRules,
  DEFAULT_SETTINGS,
  type DiscardedSection,
  FileStorage,
  NotApplied,
  SectionName,
  Security,
  ServerSettings,
  type SettingsChange,
} from '../../shared/console/settings/settings.ts'
import type { StartFailure } from '../../shared/operation/start-failure.ts'
import { readJsonFile, writeJsonFile } from './json-file.ts'
import { StartError } from './start-error.ts'

/** Not every Linux desktop has a tray: on default GNOME, the window would just disappear. */
const PREFERENCES = { ...DEFAULT_PREFERENCES, closeToTray: process.platform !== 'linux' }

/** The settings file. What is left out has its default. */
const SettingsContent = z.strictObject({
  preferences: PreferencesChange.prefault({}).transform((given) => ({ ...PREFERENCES, ...given })),
  address: completed(Address, DEFAULT_SETTINGS.address),
  security: completed(Security, DEFAULT_SETTINGS.security),
  data: completed(DataRules, DEFAULT_SETTINGS.data),
  files: completed(FileStorage, DEFAULT_SETTINGS.files),
  /** The server ran with these last; left out once it runs with the ones above. */
  lastWorking: ServerSettings.optional().catch(undefined),
  notApplied: NotApplied.optional().catch(undefined),
})
type SettingsContent = z.output<typeof SettingsContent>

/** Returns the schema of a section of which every member can be left out. */
function completed<Section extends z.ZodType<object>>(section: Section, defaults: object) {
  return z.preprocess((given) => complete(given, defaults), section).prefault({})
}

/** Other things than objects stay, for the schema to refuse. */
function complete(given: unknown, defaults: object): unknown {
  if (!isObject(given)) return given
  const members = Object.entries(defaults).map(([name, preset]) => {
    if (!Object.hasOwn(given, name)) return [name, preset]
    const member: unknown = Reflect.get(given, name)
    return [name, isObject(preset) ? complete(member, preset) : member]
  })
  return { ...given, ...Object.fromEntries(members) }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const SECTIONS = SectionName.options

/** What the desktop app remembers from one start to the next, in one file. */
export class SettingsFile {
  readonly #file: string
  #settings: SettingsContent
  /** Whether the server ran with the current settings since startup. */
  #works = false
  /** Where an invalid settings file was moved at startup; undefined if it was valid. */
  readonly brokenFile: string | undefined

  /**
   * Missing settings, and all settings of an invalid file, have their defaults. Throws `StartError`
   * when the file exists but cannot be read: starting with the defaults would serve another address, without TLS.
   */
  constructor(file: string) {
    this.#file = file
    let brokenFile: string | undefined
    try {
      this.#settings = readJsonFile(file, SettingsContent, (aside) => {
        brokenFile = aside
      })
    } catch (error) {
      throw new StartError('settings_unreadable', file, error)
    }
    this.brokenFile = brokenFile
  }

  /** The preferences of the desktop app. */
  get preferences(): Preferences {
    return this.#settings.preferences
  }

  /** The settings that the server runs with. */
  get server(): ServerSettings {
    const { address, security, data, files } = this.#settings
    return { address, security, data, files }
  }

  /** Saves the given preferences and returns all. Throws the error of the file system. */
  setPreferences(change: Partial<Preferences>): Preferences {
    this.#save({ ...this.#settings, preferences: { ...this.preferences, ...change } })
    return this.preferences
  }

  /** Settings with which the server did not start; null if there are none. */
  get notApplied(): NotApplied | null {
    return this.#settings.notApplied ?? null
  }

  /** Replaces sections. Returns whether anything changed. Throws the error of the file system. */
  setServer(change: SettingsChange): boolean {
    const next = { ...this.server, ...change }
    if (isDeepStrictEqual(next, this.server)) return false
    const lastWorking = this.#settings.lastWorking ?? (this.#works ? this.server : undefined)
    const notApplied = withoutSections(this.notApplied, Object.keys(change))
    this.#save({ ...this.#settings, ...next, lastWorking, notApplied })
    this.#works = false
    return true
  }

  /** Records that the server runs with these settings. Throws the error of the file system. */
  markWorking(settings: ServerSettings): void {
    this.#works = isDeepStrictEqual(settings, this.server)
    const lastWorking = this.#works ? undefined : settings
    if (isDeepStrictEqual(lastWorking, this.#settings.lastWorking)) return
    this.#save({ ...this.#settings, lastWorking })
  }

  /**
   * Goes back to the settings that the server ran with last, and keeps the others as `notApplied`. Returns
   * false if there are none. Throws the error of the file system.
   */
  fallBack(failure: StartFailure): boolean {
    const { lastWorking } = this.#settings
    if (lastWorking === undefined || isDeepStrictEqual(lastWorking, this.server)) return false
    const changed = SECTIONS.filter(
      (name) => !isDeepStrictEqual(lastWorking[name], this.server[name]),
    )
    // A section that failed before and was not saved since is still not applied.
    const earlier = this.notApplied?.sections.filter((name) => !changed.includes(name)) ?? []
    const kept = this.notApplied?.settings ?? this.server
    const notApplied = {
      sections: [...earlier, ...changed],
      settings: {
        address: earlier.includes('address') ? kept.address : this.server.address,
        security: earlier.includes('security') ? kept.security : this.server.security,
        data: earlier.includes('data') ? kept.data : this.server.data,
        files: earlier.includes('files') ? kept.files : this.server.files,
      },
      failure,
      at: new Date().toISOString(),
    }
    this.#save({ ...this.#settings, ...lastWorking, lastWorking: undefined, notApplied })
    return true
  }

  /** Forgets the section with which the server did not start, or all. Throws the error of the file system. */
  discardNotApplied({ section }: DiscardedSection): void {
    if (this.notApplied === null) return
    const sections = section === undefined ? SECTIONS : [section]
    this.#save({ ...this.#settings, notApplied: withoutSections(this.notApplied, sections) })
  }

  #save(settings: SettingsContent): void {
    writeJsonFile(this.#file, settings)
    this.#settings = settings
  }
}

/** A section that is saved again, or discarded, replaces what was not applied of it. */
function withoutSections(
  from: NotApplied | null,
  names: readonly string[],
): NotApplied | undefined {
  const sections = from?.sections.filter((name) => !names.includes(name)) ?? []
  return from === null || sections.length === 0 ? undefined : { ...from, sections }
}
