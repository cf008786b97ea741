import type { Role } from '../../../shared/access/role.ts'
import { formatCounted } from '../../../shared/wording/format.ts'

/** What each role is called and allows. */
export const ROLE_WORDS: Readonly<
  Record<Role, { readonly name: string; readonly onServer: string; readonly inApp: string }>
> = {
  viewer: {
    name: 'Viewer',
    onServer: 'Sees every app and the state of the server.',
    inApp: 'Sees the app.',
  },
  release_manager: {
    name: 'Release manager',
    onServer: 'Publishes, changes rollouts and manages app API keys, in every app.',
    inApp: 'Publishes, changes rollouts and manages API keys of the app.',
  },
  administrator: {
    name: 'Administrator',
    onServer: 'Manages apps, people, settings and backups.',
    inApp: 'Manages channels and devices, and renames, archives and deletes the app.',
  },
}

const passkeys = (count: number) => formatCounted(count, 'passkey')
const sessions = (count: number) => formatCounted(count, 'session')

export const text = {
  title: 'People',
  description: 'Who can sign in to the console, and what they can do',
  invite: 'Invite person',
  empty: 'No accounts yet',
  emptyHint:
    'Invite a person to give them access to the console in a browser. The first one should be an administrator.',
  accounts: 'Accounts',
  columns: {
    name: 'Name',
    roles: 'Roles',
    status: 'Status',
    twoFactor: 'Two-factor',
    lastSeen: 'Last seen',
    actions: 'Actions',
  },
  you: 'You',
  noRole: 'No role',
  inApp: (role: string, app: string) => `${role} of ${app}`,
  openLink: { invitation: 'Invitation valid until', reset: 'Reset link valid until' },
  twoFactorOn: 'On',
  twoFactorOff: 'Off',
  passkeys,
  sessions,
  manage: (name: string) => `Manage ${name}`,
  email: {
    title: (name: string) => `E-mail address of ${name}`,
    hint: 'Approval requests go to this address, and alarms if the person is an administrator. Leave it empty for no mail.',
    inviteHint: 'Optional. The invitation and later notifications are sent to this address.',
    action: 'Save address',
    done: (name: string) => `The e-mail address of ${name} was saved.`,
    failed: (name: string) => `The e-mail address of ${name} was not saved`,
  },
  actions: {
    roles: 'Change roles',
    email: 'Change e-mail address',
    invitation: 'Create new invitation',
    reset: 'Reset password',
    sessions: 'Show sessions',
    twoFactor: 'Reset two-factor authentication',
    disable: 'Disable',
    enable: 'Enable',
    remove: 'Delete',
  },

  access: {
    server: 'Role on this server',
    serverHint:
      'Applies to every app. While a channel requires approval, add administrators on the server’s machine; release managers you add then cannot approve your changes.',
    none: 'None',
    apps: 'Roles in apps',
    app: 'App',
    role: 'Role',
    chooseApp: 'Choose an app',
    add: 'Add app role',
    remove: (app: string) => `Remove the role in ${app}`,
    removeRow: 'Remove this role',
    required: 'Required',
    noRole: 'Choose a role on the server or in an app',
    isIncluded: 'Administrators of the server already have every role in every app.',
  },
  inviteForm: {
    title: 'Invite a person',
    name: 'Name',
    nameHint: 'They sign in with it. Shown in the audit log.',
    action: 'Create invitation',
    failed: (name: string) => `${name} was not invited`,
    pending: 'The invitation is being created.',
  },
  link: {
    mailed: (address: string) => `The link is also being sent to ${address}.`,
    invitation: 'Invitation link',
    reset: 'Password reset link',
    titleFor: (what: string, name: string) => `${what} for ${name}`,
    once: 'Send it privately. It works once and is shown only now. Valid until',
    withoutAddress:
      'This server does not offer the console to browsers. Add the link to its address once it does.',
    stay: 'Copy the link first. It will not be shown again.',
    done: 'I have copied it',
  },
  newLink: {
    invitation: {
      title: (name: string) => `New invitation for ${name}`,
      action: 'Create invitation',
      effect: 'Creates a link that is valid for 7 days. The earlier link becomes invalid.',
    },
    reset: {
      title: (name: string) => `Reset the password of ${name}`,
      action: 'Create reset link',
      effect: (count: number) =>
        `Creates a link to choose a new password, valid for 24 hours. Until it is used, the current password keeps working; then ${sessions(count)} will end.`,
    },
    failed: (name: string) => `No link was created for ${name}`,
  },
  rolesForm: {
    title: (name: string) => `Roles of ${name}`,
    action: 'Save roles',
    effect: (count: number) => `Takes effect at once in ${formatCounted(count, 'open session')}.`,
    done: (name: string) => `The roles of ${name} were changed.`,
    failed: (name: string) => `The roles of ${name} were not changed`,
    changed: 'The roles have changed',
    changedHint: 'Somebody else changed them while you were editing. Your draft is not saved.',
    review: 'Show current roles',
  },
  sessionList: {
    title: (name: string) => `Sessions of ${name}`,
    none: 'Not signed in anywhere',
    address: 'Address',
    browser: 'Browser or computer',
    lastUsed: 'Last used',
    action: (count: number) => `End ${sessions(count)}`,
    done: (name: string, count: number) => `Ended ${sessions(count)} of ${name}.`,
    failed: (name: string) => `The sessions of ${name} were not ended`,
  },
  twoFactor: {
    title: (name: string) => `Reset two-factor authentication of ${name}`,
    action: 'Reset two-factor',
    effect: (count: number) =>
      `Turns off the authenticator app and the recovery codes. The password alone is enough to sign in until it is set up again. ${
        count === 0 ? '' : `${passkeys(count)} will keep working.`
      }`,
    done: (name: string) => `Two-factor authentication of ${name} was reset.`,
    failed: (name: string) => `Two-factor authentication of ${name} was not reset`,
  },
  disable: {
    title: (name: string) => `Disable ${name}`,
    action: 'Disable account',
    effect: (name: string, count: number, hasLink: boolean) =>
      `${name} can no longer sign in. ${sessions(count)} will end${
        hasLink ? ', and 1 open link becomes invalid' : ''
      }. Roles are kept.`,
    done: (name: string) => `${name} was disabled.`,
    failed: (name: string) => `${name} was not disabled`,
  },
  enable: {
    title: (name: string) => `Enable ${name}`,
    action: 'Enable account',
    effect: (name: string, count: number) =>
      `${name} can sign in again, with ${formatCounted(count, 'role')}.`,
    done: (name: string) => `${name} was enabled.`,
    failed: (name: string) => `${name} was not enabled`,
  },
  remove: {
    title: (name: string) => `Delete ${name}`,
    action: 'Delete account',
    effect: (name: string, roles: number, count: number) =>
      `${name} loses ${formatCounted(roles, 'role')}, and ${sessions(count)} will end. Audit log entries stay. This cannot be undone.`,
    done: (name: string) => `${name} was deleted.`,
    failed: (name: string) => `${name} was not deleted`,
  },
} as const
