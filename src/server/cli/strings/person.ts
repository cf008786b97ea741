/** Texts of `person`. */
export const text = {
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
