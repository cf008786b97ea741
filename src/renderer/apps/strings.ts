import type { ProvingPolicy, SignatureFormat } from '../../shared/files/proof.ts'
import type { ChannelPolicy, UpdateMode } from '../../shared/releases/channel.ts'
import type { PreflightPolicy } from '../../shared/releases/preflight-policy.ts'
import { formatCount, formatCounted } from '../../shared/wording/format.ts'

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
  requiresProof: 'Proof required',
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
    proving: 'Proof of artifacts',
    unchecked: 'Signatures to accept unchecked',
    uncheckedHint:
      'If the app has a minisign key, a file with any other signature, or with none, is not proven.',
    approval: 'Require approval',
    approvalHint:
      'Publishing, raising a rollout, broadening targets and resuming must be approved by a second person. Pausing and rolling back are always immediate. Turning this off, or adding early access, then takes the command line on the server’s machine.',
    noApprover: 'Nobody else can approve',
    noApproverHint:
      'Invite a second release manager of this app. Until then, changes that need approval take the command line on the server’s machine.',
    preflight: 'Preflight',
    manual: 'Offer staged releases to manual checks',
    manualHint:
      'When a person presses “Check for updates”, the app can add manual=1 to its check. It is then in every rollout above 0%. Targets and pauses still apply.',
    countNew: 'Count new devices in rollout plans',
    countNewHint:
      'Anyone who can reach the server can invent new devices, and stop or hide the failures of a release with them. Without this, they are shown and do not count.',
    action: 'Save policy',
    done: (channel: string) => `The policy of channel ${channel} was saved.`,
    failed: (channel: string) => `The policy of channel ${channel} was not saved`,
    changed: 'The policy has changed since you opened it',
    changedHint: 'Your changes are not saved. Review the current policy, then change it again.',
    review: 'Load the current policy',
  },
  earlyAccess: {
    title: 'Early access',
    hint: 'These devices are in every rollout above 0%. Targets and pauses still apply.',
    deviceIds: 'Device IDs',
    deviceIdsHint: 'One per line',
    notAnId: (line: string) =>
      `${line} is not a device ID: 1 to 128 printable ASCII characters without spaces.`,
    row: (number: number) => `Matching devices ${number}`,
    addRow: 'Add devices by label',
    removeRow: (number: number) => `Remove matching devices ${number}`,
  },
  hasEarlyAccess: 'Early access',
  proving: {
    title: 'Proof of artifacts',
    description:
      'Before devices find a dead or changed link, this server downloads artifacts and compares them with what was published.',
    hosts: 'Allowed hosts',
    noHosts: 'None, so no artifact can be proven',
    key: 'minisign key',
    noKey: 'None, so signatures are not checked',
    edit: 'Edit proof settings',
    dialog: (app: string) => `Proof of artifacts: ${app}`,
    hostsHint:
      'One per line: a host with its port, such as downloads.example or nas.lan:8080. Hosts in your own network also need their address or range here, such as 192.168.1.20 or 10.0.0.0/8.',
    hostFault: (line: string, reason: string) => `${line} ${reason}.`,
    keyHint: 'The public key that your artifacts are signed with, as minisign or Tauri writes it.',
    keySubject: 'The key',
    documentKeys: 'Keys of signed manifests and appcasts',
    documentKeysHint: 'One per line: electron: or sparkle:, then the public key in base64.',
    action: 'Save settings',
    done: (app: string) => `The proof settings of ${app} were saved.`,
    failed: (app: string) => `The proof settings of ${app} were not saved`,
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

export const PROVING_WORDS: Readonly<Record<ProvingPolicy, Choice>> = {
  off: { name: 'Off', meaning: 'Artifacts are proven when someone asks for it.' },
  warn: {
    name: 'Warn',
    meaning: 'Artifacts are proven after publishing and daily. Failures need attention.',
  },
  required: {
    name: 'Require proof',
    meaning: 'The same, and a new release is paused until all its artifacts are proven.',
  },
}

export const PREFLIGHT_WORDS: Readonly<Record<PreflightPolicy, Choice>> = {
  off: { name: 'Off', meaning: 'Preflight runs when someone asks for it.' },
  warn: { name: 'Warn', meaning: 'Preflight runs before a release is published in the console.' },
  required: {
    name: 'Require preflight',
    meaning: 'A release that fails preflight is not offered to devices, or to more of them.',
  },
}

export const SIGNATURE_FORMAT_WORDS: Readonly<Record<SignatureFormat, string>> = {
  sparkle: 'Sparkle',
  releases: 'Squirrel.Windows and Velopack',
}

export const ROLLBACK_WORDS: Readonly<Record<ChannelPolicy['rollback'], Choice>> = {
  downgrade: {
    name: 'Downgrade',
    meaning: 'Devices on a rolled-back version are offered the next lower release.',
  },
  'roll-forward': {
    name: 'Roll forward',
    meaning: 'Devices on a rolled-back version are offered a higher release, else the next lower.',
  },
}
