import type { CallFailure } from '../../../shared/console/bridge/bridge.ts'
import type { ConnectionFailure } from '../../../shared/console/desktop/remote-servers.ts'
import type { ExitName } from '../command/errors.ts'

/** Texts about servers over the network, and about signing in to them. */
export const text = {
  group: 'Server over the network:',
  serverOption:
    'Address of a server to use over the network, with the API key in TIDEGATE_KEY or after "login"',
  keyFileOption: 'File with an API key for the server, in place of TIDEGATE_KEY',
  fingerprintOption: 'SHA-256 fingerprint of the only certificate to accept',
  plainHttpOption: 'Allow http:// without encryption to another computer',
  localOnly: (command: string) =>
    `"${command}" works on the server's computer only; run it there without --server`,
  wrongAddress: (typed: string) =>
    `"${typed}" is not the address of a server; use an address such as https://updates.studio.example:8440`,
  twoTargets: ([one = '', other = '']: readonly string[], inEnvironment: boolean) =>
    inEnvironment
      ? `${one} and ${other} are both set; unset one, or choose with --data, --database or --server`
      : `${one} and ${other} cannot be used together`,
  notRunning: (place: string) =>
    `no server is running on ${place}; start one with "serve", or choose another with --data, --database or --server`,
  initIsLocal: '--init and --server cannot be used together',
  plainHttp: (server: string) =>
    `${server} is not encrypted, so others on the network could read the key or session; use https://, or allow it with --plain-http`,
  emptyKeyFile: (file: string) => `--key-file ${file}: the file is empty`,
  credentialsUnreadable: (file: string) =>
    `${file} is not readable as a saved session; delete it and sign in again with "login"`,

  notSignedIn: (server: string) =>
    `not signed in to ${server}; sign in with "login", or set TIDEGATE_KEY to an API key`,
  keyInsufficient:
    'an API key cannot do this; unset TIDEGATE_KEY and sign in with "login" to do it as a person',

  connection: {
    unknown_name: 'the host name cannot be resolved; check the address',
    connection_refused: 'nothing listens there; check the address and that the server runs',
    timed_out: 'the server did not answer in time; check the address and the network',
    unreachable: 'the server cannot be reached; check the network',
    not_tls: 'the server does not use TLS there; try the address with http://',
    certificate: 'its certificate is not trusted',
    no_console:
      'the server does not offer its console on this address; start it with --console lan',
    not_allowed: 'the server does not accept sign-ins without encryption; use https://',
    unknown_host: 'the server does not know this host name; add it with --console-host',
    too_many_requests: 'too many requests; try again in a minute',
    not_set_up: 'nobody can sign in yet; create the first account in the console',
    answer_too_large: 'the answer is too large',
    not_tidegate: 'this does not look like a Tidegate server; check the address',
  } satisfies Record<ConnectionFailure['reason'], string>,
  cannotReach: (server: string, problem: string) => `${server}: ${problem}`,
  untrusted: (presented: string, reason: string) =>
    `its certificate is not trusted (${reason}); its fingerprint is ${presented}; compare it with the one on the server and accept it with --fingerprint`,
  otherCertificate: (pinned: string, presented: string) =>
    `its certificate has the fingerprint ${presented}, not the trusted one, ${pinned}; nothing was sent; if the server has a new certificate, compare it there and sign in again with --fingerprint`,

  failures: {
    unknown_procedure: 'the server does not know this command; it may run another version',
    out_of_contact: 'the server has lost contact with its database; try again in a few seconds',
    database_unwritable:
      'the database of the server cannot be written right now; try again in a few seconds',
    other: 'the server reported an internal error; check its log',
  } satisfies { readonly [Reason in CallFailure | 'other']?: string },

  login: {
    description: 'Sign in to a server in its browser console',
    url: 'Address of the server, such as https://updates.studio.example:8440',
    people:
      'Let the session manage accounts as well, and create keys that bypass approvals (default: it cannot)',
    computer: 'Name of this computer, as the console shows it (default: its host name)',
    fingerprintAsk: (reason: string, fingerprint: string) => [
      `The certificate of this server is not trusted by this computer (${reason}).`,
      'Compare its fingerprint with the one that the server printed when it started:',
      `  ${fingerprint}`,
    ],
    fingerprintQuestion: 'Is it the same? [y/N] ',
    notTrusted: 'the certificate was not accepted, so nothing was sent',
    instructions: (url: string, code: string, minutes: string, address: string) => [
      `Open ${url}`,
      `and enter the code ${code}, which is valid for ${minutes}.`,
      `Confirm only if the page shows this code and the address ${address}.`,
      'Waiting for confirmation…',
    ],
    done: (name: string, server: string, file: string) =>
      `Signed in to ${server} as ${name}. The session is saved in ${file}.`,
    denied: 'the sign-in was denied in the console',
    expired: 'the code has expired; run "login" again',
  },

  logout: {
    description: 'Sign out of a server and delete the saved session',
    done: (server: string) => `Signed out of ${server}.`,
    notEnded: (server: string) =>
      `the saved session was deleted, but ${server} could not be told; end the session in the console under My account`,
    whichServer: 'name the server to sign out of, or set TIDEGATE_SERVER',
  },

  whoami: {
    description: 'Show who commands act as',
    commandLine: (name: string) => `${name}, on the server's computer, with full access`,
    person: (name: string, server: string, roles: string) => `${name} on ${server}: ${roles}`,
    serverRole: (role: string) => `${role} on the server`,
    appRole: (app: string, role: string) => `${role} in ${app}`,
    noRoles: 'no roles',
  },

  exitCodes: {
    ok: 'Success',
    failed:
      'The command could not be carried out: a file, the disk, the database, an unexpected error, or the time of "wait" is over',
    usage: 'Wrong arguments, options or input',
    refused:
      'Refused by the server: unknown name, already exists, or not allowed in this state; from "wait", the release was paused or rolled back',
    unreachable:
      'The server cannot be reached, does not answer in time, or limits requests; try again',
    unauthorized: 'Not signed in, an invalid API key, or a missing role or scope',
    unconfirmed: 'Saved, but the running server did not confirm that it serves the new state',
  } satisfies Record<ExitName, string>,
} as const
