import type { ProvingSettings } from '../../../shared/files/proving.ts'
import type { ChannelPolicy } from '../../../shared/releases/channel.ts'
import { formatCounted, formatList } from '../../../shared/wording/format.ts'

/** Texts of `app`, `channel` and `key`. */
export const text = {
  app: {
    description: 'Create and list apps',
    create: 'Create an app with the channel "stable"',
    ref: 'Reference of the app, used in URLs and commands',
    name: 'Display name (default: the reference)',
    init: 'Create the data folder and its database if they do not exist',
    created: (ref: string) => `Created app ${ref} with channel stable.`,
    list: 'List apps',
    headings: ['REF', 'NAME', 'STATUS', 'CHANNELS', 'CREATED'],
    active: 'active',
    archived: 'archived',
    empty: 'No apps yet. Create one with "app create".',
    proving: {
      description: 'Show or change what the artifacts of an app are proven against',
      minisignKey: 'minisign public key, as minisign or Tauri writes it; "none" to remove it',
      allowHost:
        'Host that artifacts may be fetched from, such as downloads.example or nas.lan:8080, an IP address, or a range such as 10.0.0.0/8; repeatable',
      disallowHost: 'Host to remove; repeatable',
      documentKey:
        'Public key that signed manifests and appcasts are verified with: electron: or sparkle: and the key, as electron-builder or generate_keys prints it; repeatable',
      removeDocumentKey: 'Such a key to remove; repeatable',
      // Servers before document keys do not name them.
      lines: ({ minisignKey, hosts, documentKeys = [] }: ProvingSettings) => [
        `minisign key   ${minisignKey ?? 'none'}`,
        `Allowed hosts  ${hosts.length === 0 ? 'none' : formatList(hosts)}`,
        `Document keys  ${documentKeys.length === 0 ? 'none' : formatList(documentKeys)}`,
      ],
    },
  },

  channel: {
    description: 'Create and list channels, and set their policies',
    create: 'Create a channel',
    created: (channel: string, app: string) => `Created channel ${channel} of ${app}.`,
    list: 'List the channels of an app',
    headings: [
      'CHANNEL',
      'RELEASES',
      'UPDATE MODE',
      'MINIMUM SUPPORTED VERSION',
      'ROLLBACK BEHAVIOR',
      'REQUIRES APPROVAL',
      'PROVING',
      'CREATED',
    ],
    empty: 'This app has no channels.',
    policy: 'Show or change the policy of a channel',
    updateMode: (modes: readonly string[]) => `Update mode: ${modes.join(' or ')}`,
    minimumSupportedVersion: 'Minimum supported version; devices below it must update',
    rollback: (policies: readonly string[]) =>
      `Rollback behavior for devices on a rolled-back version: ${policies.join(' or ')}`,
    requireApproval: `Require a second person's approval before more devices are offered a release: yes or no`,
    proving: (policies: readonly string[]) =>
      `Proof of artifacts: ${policies.join(', ')}; with required, a new release is paused until it is proven`,
    uncheckedSignatures:
      'Formats of signatures to accept unchecked although the app has a minisign key: sparkle, releases (Squirrel.Windows, Velopack), separated by commas, or none',
    preflight: (policies: readonly string[]) =>
      `Preflight: ${policies.join(', ')}; with required, a release that fails is not offered to devices`,
    acceptFinding:
      'Finding of preflight that does not count on the channel, and why, such as no_way_back="We roll forward"; repeatable',
    countFinding: 'Finding that counts again; repeatable',
    manualChecks:
      'Offer releases above 0% to every device when a person asks for the check: yes or no',
    countNewDevices:
      'Let new devices, which anyone can invent, count toward stops and gates of plans: yes or no',
    earlyAccess: {
      description: 'Show or change the early access list of a channel',
      addDevice: 'ID of a device to add; repeatable',
      removeDevice: 'ID of a device to remove; repeatable',
      addLabel: 'Label of devices to add; repeatable',
      removeLabel: 'Label to remove; repeatable',
      targetsFile: 'JSON file with a list of targets, which replaces all labels of the list',
      wrong: (path: string, reason: string) => `${path}: ${reason}`,
      lines: (deviceIds: readonly string[], targets: readonly string[]) => [
        `Devices  ${deviceIds.length === 0 ? 'none' : formatList(deviceIds)}`,
        `Targets  ${targets.length === 0 ? 'none' : targets.join(', ')}`,
      ],
    },
    requires: (does: boolean) => (does ? 'yes' : 'no'),
    policyLines: ({
      updateMode,
      minimumSupportedVersion,
      rollback,
      requireApproval,
      proving,
      uncheckedSignatures,
      earlyAccess: { deviceIds, targets },
      manualChecks,
      countNewDevices,
      preflight,
      acceptedFindings,
    }: ChannelPolicy) => [
      `Update mode                ${updateMode}`,
      `Minimum supported version  ${minimumSupportedVersion}`,
      `Rollback behavior          ${rollback}`,
      `Requires approval          ${requireApproval ? 'yes' : 'no'}`,
      `Proving                    ${proving}`,
      `Unchecked signatures       ${uncheckedSignatures.length === 0 ? 'none' : formatList(uncheckedSignatures)}`,
      `Early access               ${formatCounted(deviceIds.length, 'device ID')}, ${formatCounted(targets.length, 'set of targets', 'sets of targets')}`,
      `Manual checks              ${manualChecks ? 'yes' : 'no'}`,
      `New devices count          ${countNewDevices ? 'yes' : 'no'}`,
      `Preflight                  ${preflight}`,
      ...acceptedFindings.map(
        ({ code, reason }) => `Accepted finding           ${code}: ${reason}`,
      ),
    ],
  },

  key: {
    description: 'Create, list and revoke API keys',
    mint: 'Create a key and print it; it is shown only once',
    name: 'Name of the key',
    scope: (scopes: readonly string[]) =>
      `Scope: ${scopes.join(', ')}; repeatable (default: all but wall, which is the link of a wall view)`,
    app: 'Restrict the key to this app (default: all apps)',
    bypassApproval: 'Allow changes that require approval on their channel',
    bypasses: (does: boolean) => (does ? 'yes' : 'no'),
    list: 'List keys',
    headings: [
      'PREFIX',
      'NAME',
      'SCOPES',
      'APP',
      'BYPASSES APPROVAL',
      'CREATED',
      'LAST USED',
      'REVOKED',
    ],
    allApps: 'all',
    empty: 'No keys yet. Create one with "key mint".',
    revoke: 'Revoke a key permanently',
    prefix: 'First 8 characters of the key, as shown by "key list"',
    revoked: (prefix: string, name: string, time: string | null) =>
      `Revoked key ${prefix} (${name}) at ${time}.`,
  },
} as const

export const personText = {
  description: 'Manage the people who can sign in to the console',
  nameArgument: 'Sign-in name',
  list: 'List accounts',
  headings: ['NAME', 'ROLE', 'APP ROLES', 'STATUS', 'TWO-FACTOR', 'SESSIONS', 'LAST SEEN'],
  empty: 'No accounts yet. Create the first one with "person setup-link".',
  status: { active: 'active', invited: 'invited', disabled: 'disabled' },
  twoFactor: { on: 'on', off: 'off' },

  setupLink: 'Print a link to create the first account, valid for 15 minutes',
  consoleCode:
    'Print a link that opens the console in another browser of this computer, valid until the server restarts',
  noServer: 'No server is running on this data folder. Start it first.',
  invite: 'Create an account and print a link to set its password, valid for 7 days',
  role: (roles: readonly string[]) => `Role on this server: ${roles.join(', ')}`,
  appRole: (roles: readonly string[]) =>
    `Role in one app, as <app>=<role> (${roles.join(', ')}); repeatable`,
  appRoleForm: 'It must have the form <app>=<role>.',
  noRole: 'choose a role with --role or --app-role',
  consoleAddress: 'Address of the console in the link (default: that of the running server)',
  link: (url: string) => url,
  /** The rest of a link whose address is not known. */
  linkWithoutServer: (path: string) =>
    `No server is running. Add this to the address of the server: ${path}`,

  resetPassword: 'Print a link to set a new password, valid for 24 hours',
  disable: 'Disable an account and end its sessions',
  disabled: (name: string) => `Disabled account ${name} and ended its sessions.`,
  enable: 'Enable a disabled account',
  enabled: (name: string) => `Enabled account ${name}.`,
  endSessions: 'End all sessions of an account',
  endedSessions: (name: string, sessions: string) => `Ended ${sessions} of ${name}.`,
  resetTwoFactor: 'Turn off the authenticator app and recovery codes of an account',
  twoFactorReset: (name: string) => `Turned off two-factor authentication of ${name}.`,
} as const
