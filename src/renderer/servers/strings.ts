import type { ConnectionFailure, ServerColor } from '../../shared/console/desktop/remote-servers.ts'

export const text = {
  own: 'This computer',
  switch: (name: string) => `Server: ${name}. Switch server`,
  servers: 'Servers',
  signedOut: 'Signed out',
  inUse: 'In use',
  addItem: 'Add server…',
  manageItem: 'Manage servers…',
  bar: 'Server in use',
  remote: 'Remote server',
  signedInAs: (name: string) => `Signed in as ${name}`,

  switching: 'Switching servers',
  notSwitched: 'The server was not switched',

  add: {
    title: 'Add server',
    action: 'Connect',
    address: 'Address',
    addressHint: 'As shown by the server, such as https://updates.studio.example:8440',
    addressMissing: 'Enter the address of a server',
    name: 'Name',
    nameMissing: 'Enter a name',
    nameHint: 'Shown in the sidebar and the window title',
    color: 'Color',
    done: (name: string) => `${name} was added.`,
    failed: (name: string) => `${name} was not added`,
    invalid_address: 'Enter an address that starts with https:// or http://.',
    already_added: 'This server is already in the list.',
    too_many: 'The list is full. Remove a server first.',
  },

  trust: {
    title: 'Verify the certificate',
    explanation:
      'The certificate of this server is not signed by an authority that this computer trusts. Compare its fingerprint with the one that the server shows. Connect only if they are the same.',
    fingerprint: 'SHA-256 fingerprint',
    action: 'Trust and connect',
  },

  plain: {
    title: 'Connect without encryption?',
    explanation:
      'With http://, everyone on the network between you and the server can read your password and take over your session. Use https:// if the server supports it.',
    action: 'Connect without encryption',
  },

  signIn: {
    title: (name: string) => `Sign in to ${name}`,
    action: 'Sign in',
    failed: (name: string) => `You are not signed in to ${name}`,
    codeHint:
      'This console is for its own computer only. Run “person console-code” there, and enter the link or the code that it prints.',
    codeWrong:
      'This is not the code of the server that is running. Print it again with “person console-code”.',
    notKept:
      'This computer cannot encrypt stored passwords. Your session is kept in memory only: sign in again after you quit Tidegate.',
  },

  signedOutBanner: (name: string) => `You are signed out of ${name}.`,
  signInAction: 'Sign in',

  certificate: {
    banner: (name: string) => `The certificate of ${name} is not trusted`,
    changed:
      'It is not the certificate that you trusted. Somebody may be intercepting the connection. Nothing was sent.',
    untrusted: 'This computer no longer trusts it. Nothing was sent.',
    review: 'Review certificate',
    title: (name: string) => `Certificate of ${name}`,
    explanation:
      'Ask whoever runs the server whether the certificate was replaced, and compare the fingerprint. Trust it only if they are the same. You have to sign in again.',
    pinned: 'Trusted fingerprint',
    presented: 'Fingerprint now',
    action: 'Trust new certificate',
    done: (name: string) => `The new certificate of ${name} is trusted.`,
    failed: 'The certificate is not trusted',
  },

  manage: {
    title: 'Manage servers',
    none: 'No servers added',
    edit: (name: string) => `Edit ${name}`,
    signOut: (name: string) => `Sign out of ${name}`,
    remove: (name: string) => `Remove ${name}`,
    signedOut: (name: string) => `You are signed out of ${name}.`,
    notSignedOut: (name: string) => `You are still signed in to ${name}`,
  },

  edit: {
    title: (name: string) => `Edit ${name}`,
    action: 'Save',
    done: 'The server was saved.',
    failed: 'The server was not saved',
  },

  remove: {
    title: (name: string) => `Remove ${name}`,
    explanation:
      'It is removed from this list, with its saved filters, and your session on it ends. Nothing changes on the server.',
    action: (name: string) => `Remove ${name}`,
    done: (name: string) => `${name} was removed.`,
    failed: (name: string) => `${name} was not removed`,
  },
} as const

export const COLOR_NAMES: Readonly<Record<ServerColor, string>> = {
  blue: 'Blue',
  violet: 'Violet',
  pink: 'Pink',
  orange: 'Orange',
  olive: 'Olive',
  slate: 'Slate',
}

export const FAILURE_TITLE = 'Could not connect'

/** Returns why a server cannot be connected to, and what to do about it. */
export function connectionSentence({ reason, detail }: ConnectionFailure): string {
  return CONNECTION_FAILURES[reason](detail)
}

const CONNECTION_FAILURES: Readonly<
  Record<ConnectionFailure['reason'], (detail: string) => string>
> = {
  unknown_name: () => 'There is no computer with this name. Check the address.',
  connection_refused: () =>
    'Nothing answers at this address. Check the port, and that the server is running.',
  timed_out: () => 'The server did not respond in time. Check the address and your connection.',
  unreachable: (detail) => `The server cannot be reached: ${detail}`,
  not_tls: () =>
    'The server does not use TLS at this address. Use http:// if it has no certificate.',
  certificate: () => 'The certificate of the server is not trusted. Nothing was sent.',
  no_console: () => 'This server does not offer its console at this address.',
  not_allowed: () => 'The server offers its console only over TLS.',
  unknown_host: () =>
    'The server does not answer to this name. Add it to the names of its console.',
  too_many_requests: () => 'Too many requests. Try again in a minute.',
  not_set_up: () =>
    'This server has no accounts yet. Set it up in a browser first, with the link that it printed.',
  answer_too_large: () => 'The response of the server is too large.',
  not_tidegate: () => 'What answers at this address is not a Tidegate server.',
}
