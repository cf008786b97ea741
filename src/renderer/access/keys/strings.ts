import type { Scope } from '../../../shared/access/key.ts'

export const text = {
  title: 'API keys',
  description:
    'Build machines and scripts authenticate with a key. Devices need no key to check for updates.',
  create: 'Create key',
  empty: 'No API keys yet',
  emptyHint: 'Create a key to publish releases from a build machine.',
  emptyForViewers: 'Keys appear here once a release manager creates them.',
  keys: 'Keys',
  table: 'API keys',
  columns: {
    key: 'Key',
    scopes: 'Scopes',
    created: 'Created',
    lastUsed: 'Last used',
    status: 'Status',
    actions: 'Actions',
  },
  allApps: 'All apps',
  app: (ref: string) => `App ${ref}`,
  bypasses: 'Bypasses approval',
  revoke: 'Revoke',
  revokeLabel: (name: string) => `Revoke key ${name}`,
  form: {
    title: 'Create an API key',
    name: 'Name',
    nameHint:
      'Shown in the key list and the audit log. No two active keys of an app can have the same name.',
    required: 'Required',
    scopes: 'Scopes',
    noScope: 'Choose at least one scope',
    app: 'App',
    appHint: 'A key for one app can only read and change that app.',
    chooseApp: 'Choose an app',
    bypass: 'Bypass approval',
    bypassHint:
      'Changes with this key need no approval on channels that require it. Once a channel does, create such a key on the server’s machine.',
    action: 'Create key',
    failed: (name: string) => `Key ${name} was not created`,
    pending: 'The key is being created.',
  },
  secret: {
    title: 'Copy your API key',
    stay: 'Copy the key first. It will not be shown again.',
    once: 'The key is shown only once. Tidegate stores a hash of it, not the key itself.',
    label: 'API key',
    use: 'Send it with each request in the header Authorization: Bearer <key>.',
    done: 'I have copied it',
  },
  wall: {
    title: 'Copy the link of the wall view',
    stay: 'Copy the link first. It will not be shown again.',
    once: 'Anyone with the link sees versions, rollouts and device counts, without signing in, until you revoke its key.',
    label: 'Link',
    use: 'Open it in the browser of the screen.',
    done: 'I have copied it',
  },
  revokeDialog: {
    title: (name: string, prefix: string) => `Revoke key ${name} (${prefix}…)`,
    action: 'Revoke key',
    effect: 'Requests with this key will be rejected. A revoked key cannot be restored.',
    lastUsed: 'Last used:',
    never: 'never',
    done: (name: string) => `Key ${name} was revoked.`,
    failed: (name: string) => `Key ${name} was not revoked`,
  },
} as const

/** What each scope allows. */
export const SCOPE_WORDS: Readonly<
  Record<Scope, { readonly name: string; readonly meaning: string }>
> = {
  read: { name: 'Read', meaning: 'Read releases with their targets and artifacts.' },
  publish: { name: 'Publish', meaning: 'Publish releases, for example from a build machine.' },
  serve: { name: 'Serve', meaning: 'Change rollouts and targets, pause and roll back.' },
  fleet: { name: 'Fleet', meaning: 'Report device versions and request decisions in bulk.' },
  wall: { name: 'Wall view', meaning: 'A link for a screen in the office, and nothing else.' },
}
