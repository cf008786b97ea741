import type { ChannelPolicy, UpdateMode } from '../../shared/channel.ts'
import { formatCount, formatCounted } from '../../shared/wording/format.ts'

/** What the screens of apps and channels say. */
export const text = {
  title: 'Apps and channels',
  description: 'Each app has channels, and each channel has its own releases and policy.',
  apps: 'Apps',
  create: 'Create app',
  empty: 'No apps yet',
  emptyHint: 'Create an app to get its update URL and the code that connects it.',
  noneVisible: 'Apps appear here once you have access to them. Ask an administrator for access.',
  searchApps: 'App or channel',
  noResults: 'No results',
  noResultsHint: 'No app or channel matches your search.',
  clearSearch: 'Clear search',
  appCount: (shown: number, all: number) =>
    shown === all
      ? formatCounted(all, 'app')
      : `${formatCount(shown)} of ${formatCounted(all, 'app')}`,
  columns: {
    app: 'App',
    channels: 'Channels',
    devices: 'Devices',
    created: 'Created',
    status: 'Status',
    channel: 'Channel',
    updates: 'Update mode',
    minimum: 'Minimum supported version',
    rollback: 'Rollback behavior',
    releases: 'Releases',
    served: 'Served',
    actions: 'Actions',
  },
  knownDevices: (count: number) => formatCounted(count, 'known device'),
  archivedHint:
    'Its devices receive no updates. Restore it to serve its releases again or to change its channels.',
  manage: 'Manage',
  rename: 'Rename',
  archive: 'Archive',
  restore: 'Restore',
  delete: 'Delete',
  name: 'Name',
  required: 'Required',
  createApp: {
    title: 'Create an app',
    nameHint: 'Shown in this console. You can change it later.',
    reference: 'Reference',
    referenceHint: 'Part of the update URL. It cannot be changed later.',
    referenceSubject: 'The reference',
    noReference:
      'No reference can be derived from this name. Enter one with lowercase letters, digits and hyphens.',
    action: 'Create app',
    done: (name: string) => `${name} was created.`,
    failed: (name: string) => `${name} was not created`,
  },
  renameApp: {
    title: (name: string) => `Rename ${name}`,
    action: 'Rename',
    done: (name: string) => `Renamed to ${name}.`,
    failed: (from: string, to: string) => `${from} was not renamed to ${to}`,
  },
  archiveApp: {
    title: (name: string) => `Archive ${name}`,
    action: 'Archive',
    effect: (devices: number, releases: number) =>
      `${formatCounted(devices, 'device')} will stop receiving updates, and ${formatCounted(releases, 'published release')} will no longer be served. Nothing is deleted. You can restore the app later.`,
    done: (name: string) => `${name} was archived.`,
    failed: (name: string) => `${name} was not archived`,
  },
  restoreApp: {
    title: (name: string) => `Restore ${name}`,
    action: 'Restore',
    effect: (devices: number, releases: number) =>
      `${formatCounted(devices, 'device')} will receive updates again, and ${formatCounted(releases, 'published release')} will be served.`,
    done: (name: string) => `${name} was restored.`,
    failed: (name: string) => `${name} was not restored`,
  },
  deleteApp: {
    title: (name: string) => `Delete ${name}`,
    action: (ref: string) => `Delete ${ref}`,
    effect: (channels: number, releases: number, devices: number) =>
      `${formatCounted(channels, 'channel')}, ${formatCounted(releases, 'release')} and the data of ${formatCounted(devices, 'device')} will be deleted. The audit log is kept. This cannot be undone.`,
    archiveFirst: (served: number) =>
      `The app serves ${formatCounted(served, 'release')}. Archive it first.`,
    done: (name: string) => `${name} was deleted.`,
    failed: (name: string) => `${name} was not deleted`,
  },
  channels: 'Channels',
  anyVersion: 'Any',
  requiresApproval: 'Approval required',
  manageChannel: (name: string) => `Manage channel ${name}`,
  editPolicy: 'Edit policy',
  createChannel: {
    title: 'Create a channel',
    hint: 'Part of the update URL, such as beta. It cannot be changed later.',
    subject: 'The name',
    action: 'Create channel',
    done: (name: string) => `Channel ${name} was created.`,
    failed: (name: string) => `Channel ${name} was not created`,
  },
  deleteChannel: {
    title: (name: string) => `Delete channel ${name}`,
    action: (name: string) => `Delete ${name}`,
    effect: (releases: number) =>
      `${formatCounted(releases, 'release')} will be deleted. Devices on this channel will stop receiving updates. This cannot be undone.`,
    onlyChannel: 'This is the only channel. An app needs at least one.',
    served: (count: number) =>
      `The channel serves ${formatCounted(count, 'release')}. Roll them back or archive the app first.`,
    done: (name: string) => `Channel ${name} was deleted.`,
    failed: (name: string) => `Channel ${name} was not deleted`,
  },
  policy: {
    title: (channel: string) => `Channel policy: ${channel}`,
    updates: 'Update mode',
    minimum: 'Minimum supported version',
    minimumHint: 'Devices below this version must update. 0.0.0 supports every version.',
    minimumSubject: 'This version',
    rollback: 'Rollback behavior',
    approval: 'Require approval',
    approvalHint:
      'Publishing, raising a rollout, broadening targets and resuming must be approved by a second person. Pausing and rolling back are always immediate.',
    action: 'Save policy',
    done: (channel: string) => `The policy of channel ${channel} was saved.`,
    failed: (channel: string) => `The policy of channel ${channel} was not saved`,
    changed: 'The policy has changed since you opened it',
    changedHint: 'Your changes are not saved. Review the current policy, then change it again.',
    review: 'Load the current policy',
  },
  connect: {
    title: (app: string) => `Connect ${app}`,
    noChannel: 'Create a channel first. Its name is part of the update URL.',
    channel: 'Channel',
    address: 'Server address',
    localAddress: (url: string) => `${url} (this computer only)`,
  },
} as const

interface Choice {
  readonly name: string
  readonly meaning: string
}

export const UPDATE_MODE_WORDS: Readonly<Record<UpdateMode, Choice>> = {
  optional: { name: 'Optional', meaning: 'The app may let people postpone an update.' },
  required: { name: 'Required', meaning: 'Devices must install every update.' },
}

export const ROLLBACK_WORDS: Readonly<Record<ChannelPolicy['rollback'], Choice>> = {
  downgrade: {
    name: 'Downgrade',
    meaning: 'Devices on a rolled-back version are offered the next lower release.',
  },
  'roll-forward': {
    name: 'Roll forward',
    meaning:
      'Devices on a rolled-back version are offered a higher release, or the next lower one if there is none.',
  },
}
