import type { RefusalCode } from '../../../shared/refusal.ts'

/** Texts that several commands share: help, options, errors, and what is printed about devices. */
export const text = {
  program: 'Update server for desktop apps',
  help: 'Show help',
  helpCommand: 'Show help for a command',
  version: 'Show the version',
  needsCommand: (command: string, subcommands: readonly string[]) =>
    `"${command}" needs a command: ${subcommands.join(', ')}; use --help for details`,

  dataOption: (folder: string) => `Data folder (default: ${folder})`,
  jsonOption: 'Print JSON',
  appArgument: 'Reference or ID of the app',
  listedApp: 'Reference or ID of the app (default: all apps)',
  page: 'Page, from 1 (default: 1)',
  channelNeedsApp: '--channel: specify the app before it',
  channelArgument: 'Name of the channel',
  versionArgument: 'Version of the release',
  deviceArgument: 'ID of the device',

  examples: (lines: readonly string[]) =>
    `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`,

  exitCodes: (lines: readonly string[]) =>
    `\nExit codes:\n${lines.map((line) => `  ${line}`).join('\n')}`,
  completion: {
    description: 'Print a script that completes commands and options in a shell',
    shell: 'Shell',
  },

  notEmpty: 'must not be empty',
  wholeNumber: 'It must be a whole number.',
  trueOrFalse: 'It must be true or false.',
  it: (reason: string) => `It ${reason}.`,

  error: (message: string) => `error: ${message}`,
  warning: (message: string) => `warning: ${message}`,
  withHint: (message: string, hint: string) => `${message}; ${hint}`,
  unexpected: (reason: string) =>
    `unexpected error: ${reason}; set TIDEGATE_DEBUG=1 to print the stack trace`,
  outputLost: (reason: string) =>
    `the output could not be written (${reason}), but the command succeeded`,
  databaseBusy: 'the database cannot be written right now; try again in a few seconds',
  noDatabase: (folder: string) =>
    `there is no database in ${folder}; create one with "serve" or "app create --init", or choose another folder with --data`,
  nothingStored: (place: string) =>
    `${place} is not a Tidegate database; check the address, or create it with "serve" or "app create --init"`,
  otherFolder: (sentence: string) => `${sentence} To use another data folder, set --data.`,
  unconfirmed: (pid: number | undefined, seconds: number) => {
    const server = pid === undefined ? 'the running server' : `the server (process ${pid})`
    return `the change is saved, but ${server} did not confirm it within ${seconds} seconds and may still serve the previous state; check its log and restart it`
  },

  none: '-',
  other: 'Other',
  labels: (labels: readonly string[]) =>
    labels.length === 0 ? 'no labels' : `labels ${labels.join(', ')}`,
} as const

const WITHDRAW = 'to withdraw the release, use "rollback"'

/** What to do about a refusal, added to its message. */
export const HINTS: { readonly [Code in RefusalCode]?: string } = {
  sign_in_needed: 'use "login" to sign in to the server',
  not_granted: 'sign in with "login --people", and confirm it in the console',
  unknown_app: 'use "app list" to list apps, or "app create" to create one',
  unknown_channel: 'use "channel list" to list channels, or "channel create" to create one',
  unknown_release: 'use "release list" to list releases',
  unknown_draft: 'use "draft list" to list drafts',
  draft_incomplete: 'add what is missing with "publish --draft"',
  unknown_device: 'devices are added by their first check-in or report',
  unknown_key: 'use "key list" to list keys',
  unknown_person: 'use "person list" to list accounts',
  unknown_webhook: 'use "webhook list" to list webhooks',
  name_taken: 'choose another name',
  app_exists: 'choose another name',
  channel_exists: 'choose another name',
  release_exists: 'releases cannot be changed, so publish a new version',
  release_rolled_back: 'publish a new version',
  rollout_lowered: WITHDRAW,
  target_label_added: WITHDRAW,
  target_value_removed: WITHDRAW,
  target_expressions_changed: WITHDRAW,
}
