import type { ServerReach } from '../../shared/console/desktop/shell.ts'
import type { CertificateIssue } from '../../shared/operation/certificate.ts'
import type { StartFailure } from '../../shared/operation/start-failure.ts'
import type { FileIssue, StorageErrorCode } from '../../shared/operation/storage-problem.ts'
import { formatDuration } from '../../shared/wording/format.ts'

const RESTART = 'Restart the server to use the current file, or restore a backup.'

/** The title of the banner when the server cannot start. */
export function startFailureTitle(failure: StartFailure): string {
  if (failure.code !== 'storage') return TITLES[failure.code]
  return STORAGE_TITLES[failure.problem.code] ?? CANNOT_START
}

const CANNOT_START = 'The server cannot start'

const TITLES: Readonly<Record<Exclude<StartFailure['code'], 'storage'>, string>> = {
  port_in_use: 'The server cannot start: its port is already in use',
  port_forbidden: 'The server cannot start: it cannot listen on its address',
  unknown_address: 'The server cannot start: it cannot listen on its address',
  tls: 'The server cannot start: its certificate cannot be used',
  ended: CANNOT_START,
  other: CANNOT_START,
}

const STORAGE_TITLES: { readonly [Code in StorageErrorCode]?: string } = {
  locked: 'The server cannot start: its data folder is in use',
  newer_database: 'The server cannot start: the database is from a newer version of Tidegate',
}

/** What happened to the database, and what to do about it. */
export const DATABASE_WORDS: Readonly<
  Record<FileIssue, { readonly title: string; readonly fix: string }>
> = {
  missing: {
    title: 'The database file is missing',
    fix: 'Put the file back to continue without data loss, or restore a backup.',
  },
  replaced: { title: 'The database file was replaced', fix: RESTART },
  emptied: { title: 'The database file was emptied', fix: 'Restore a backup.' },
}

/** Why the new certificate files cannot be used. */
export const REFUSED_WORDS: Readonly<Record<CertificateIssue, string>> = {
  unreadable: 'The certificate or key file cannot be read.',
  invalid: 'The certificate or key file is not valid PEM.',
  mismatch: 'The key does not belong to the certificate.',
}

export const EXPIRY_TITLES = {
  expiring: 'The certificate expires soon',
  expired: 'The certificate has expired',
} as const

/** What the settings can fix. */
export const FAILURE_FIXES: Readonly<Partial<Record<StartFailure['code'], string>>> = {
  port_in_use: 'Change address',
  port_forbidden: 'Change address',
  unknown_address: 'Change address',
  tls: 'Change certificate',
}

export const SERVER_STATES: Readonly<Record<ServerReach['state'], string>> = {
  starting: 'Server is starting',
  running: 'Server is running',
  restarting: 'Server is restarting',
  failed: 'Server is not running',
  stopped: 'Server is stopped',
  unreachable: 'Connection lost',
  signed_out: 'Signed out',
  certificate_refused: 'Certificate not trusted',
}

export const text = {
  product: 'Tidegate',
  notRefreshed: 'Some data is out of date',
  screens: 'Screens',
  menu: 'Menu',
  closeMenu: 'Close menu',
  search: 'Search',
  searchKeys: (modKey: string) => `${modKey} K`,
  skip: 'Skip to content',
  notFound: 'Page not found',
  failed: 'This screen could not be displayed',
  failedNotice: 'The console ran into an error',
  startOver: 'Start again from the overview',
  startOverHint: 'Your saved data is not affected.',
  openOverview: 'Go to Overview',
  ownAccount: 'Your account',
  myAccount: 'My account',
  signOut: 'Sign out',
  signOutFailed: 'You are still signed in',
  serverStatus: 'Server status',
  outOfContact: 'Database connection lost',
  copyAddress: 'the server address',
  allInterfaces: (port: string) => `Port ${port}, all interfaces`,
  banner: {
    starting: 'The server is starting…',
    stopped: 'The server is stopped.',
    connecting: 'Connecting…',
    unreachable: 'The connection to the server was lost.',
    outOfContact: 'The server has lost contact with its database.',
    outOfContactHint: 'Changes and check-ins cannot be saved, and update checks get no update.',
    upgrading: 'The database is being upgraded.',
    upgradingHint: 'The server starts after the upgrade. This can take several minutes.',
    retry: 'Try again',
    notRetried: 'The server could not be started',
    retrying: 'Trying now',
    nextTry: (seconds: number) => `Next try in ${formatDuration(seconds, 'second')}`,
  },
  database: {
    noticed: 'noticed',
    effect: 'Changes and check-ins cannot be saved. Update checks are still answered.',
  },
  certificate: {
    refused: 'The new certificate cannot be used',
    validUntil: 'It is valid until',
    replace: 'Replace the certificate and key files. The server loads them without a restart.',
    previous: 'The previous certificate stays in use. It is valid until',
  },
} as const
