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

/** The shortcuts, as they are listed. `mod`: Ctrl, or Command on macOS. */
export const SHORTCUTS: readonly { readonly keys: readonly string[]; readonly action: string }[] = [
  { keys: ['mod', 'K'], action: 'Open the command palette' },
  { keys: ['?'], action: 'Show keyboard shortcuts' },
  { keys: ['mod', 'N'], action: 'Publish a release' },
  { keys: ['mod', '1'], action: 'Go to Overview' },
  { keys: ['mod', '2'], action: 'Go to Fleet' },
  { keys: ['mod', '3'], action: 'Go to Releases' },
  { keys: ['mod', '4'], action: 'Go to Devices' },
  { keys: ['mod', '5'], action: 'Go to Apps and channels' },
  { keys: ['mod', '6'], action: 'Go to API keys' },
  { keys: ['mod', '7'], action: 'Go to Audit log' },
  { keys: ['mod', ','], action: 'Go to Settings' },
  { keys: ['Esc'], action: 'Close a dialog' },
]
