import { z } from 'zod'
import {
  Address,
  DataRules,
  DEFAULT_SETTINGS,
  FileStorage,
  NotApplied,
  Security,
  ServerSettings,
} from '../../shared/console/settings.ts'
import { DEFAULT_PREFERENCES, PreferencesChange } from '../../shared/console/shell.ts'

/** Not every Linux desktop has a tray: on default GNOME, the window would just disappear. */
const PREFERENCES = { ...DEFAULT_PREFERENCES, closeToTray: process.platform !== 'linux' }

/** The settings file. What is left out has its default. */
export const SettingsContent = z.strictObject({
  preferences: PreferencesChange.prefault({}).transform((given) => ({ ...PREFERENCES, ...given })),
  address: completed(Address, DEFAULT_SETTINGS.address),
  security: completed(Security, DEFAULT_SETTINGS.security),
  data: completed(DataRules, DEFAULT_SETTINGS.data),
  files: completed(FileStorage, DEFAULT_SETTINGS.files),
  /** The server ran with these last; left out once it runs with the ones above. */
  lastWorking: ServerSettings.optional().catch(undefined),
  notApplied: NotApplied.optional().catch(undefined),
})
export type SettingsContent = z.output<typeof SettingsContent>

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
