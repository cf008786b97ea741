import type { Preferences, PreferencesChange } from '../../shared/console/shell.ts'
import type { ServerList } from './server-list.ts'

/** Returns the preferences, with the filters that were saved for the server in use. */
export function withFilters({ current }: ServerList, preferences: Preferences): Preferences {
  if (current === undefined) return preferences
  return { ...preferences, savedDeviceFilters: current.savedDeviceFilters }
}

/** Keeps the saved filters of a change if they are those of a remote server. Returns the rest of the change. */
export function keepFilters(list: ServerList, change: PreferencesChange): PreferencesChange {
  const { current } = list
  const { savedDeviceFilters, ...rest } = change
  if (current === undefined || savedDeviceFilters === undefined) return change
  list.change(current.id, { savedDeviceFilters })
  return rest
}
