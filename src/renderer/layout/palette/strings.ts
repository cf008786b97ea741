import { MENU_KEYS, MenuCommand } from '../../../shared/console/desktop/shell.ts'
import { PLACE_NAMES } from '../../../shared/wording/places.ts'
import type { Place } from '../places.ts'
import type { EntryGroup } from './entry.ts'

export const text = {
  open: 'Search',
  label: 'Command palette',
  placeholder: 'Go to an app, release or device, or run a command',
  results: 'Results',
  searching: 'Searching…',
  noResults: 'No results',
  searchFailed: 'Releases and devices could not be searched',
  hints: { move: 'Move', choose: 'Choose', close: 'Close' },
  channel: (app: string, channel: string) => `${app}/${channel}`,
  archived: 'Archived',
  stopVerbs: ['stop', 'pause', 'halt', 'hold', 'suspend'],
  compare: (version: string) => `Compare ${version} with another release`,
  publish: 'Publish a release',
  createApp: 'Create an app',
  createKey: 'Create an API key',
  invite: 'Invite a person',
  myAccount: 'Go to My account',
  signOut: 'Sign out',
  signOutFailed: 'You are still signed in',
  backUp: 'Back up now',
  backedUp: 'The backup was created and verified.',
  backUpFailed: 'The backup failed',
  themes: {
    system: 'Use the system theme',
    light: 'Use the light theme',
    dark: 'Use the dark theme',
  },
  themeFailed: 'The theme was not changed',
  showShortcuts: 'Show keyboard shortcuts',
  shortcuts: 'Keyboard shortcuts',
  shortcutColumns: { keys: 'Keys', action: 'Action' },
} as const

export const GROUP_NAMES: Readonly<Record<EntryGroup, string>> = {
  screens: 'Screens',
  commands: 'Commands',
  stops: 'Stop a release',
  apps: 'Apps',
  channels: 'Channels',
  releases: 'Releases',
  devices: 'Devices',
}

/** A shortcut as it is listed. `mod`: Ctrl, or Command on macOS. */
export interface Shortcut {
  readonly keys: readonly string[]
  readonly action: string
}

/** Returns the shortcuts. `hasMenu`: in the desktop app, with those of its menu, which in a browser do something else. */
export function shortcuts(hasMenu: boolean, places: readonly Place[]): readonly Shortcut[] {
  const ofMenu = MenuCommand.options.flatMap((command) => {
    const key = MENU_KEYS[command]
    const isShown = key !== undefined && (hasMenu || command === 'palette')
    return isShown ? [{ keys: ['mod', key], action: actionOf(command) }] : []
  })
  return [
    ...ofMenu,
    { keys: ['?'], action: text.showShortcuts },
    { keys: ['Esc'], action: 'Close a dialog' },
    ...places.map(({ key, id }) => ({ keys: ['G', key], action: goTo(PLACE_NAMES[id]) })),
  ]
}

function actionOf(command: MenuCommand): string {
  if (command === 'palette') return 'Open the command palette'
  return command === 'publish' ? text.publish : goTo(PLACE_NAMES[command])
}

const goTo = (screen: string) => `Go to ${screen}`
