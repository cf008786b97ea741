import type { CertificateIssue } from '../../shared/certificate.ts'
import type { FileIssue } from '../../shared/database-file.ts'

const RESTART = 'Restart the server to use the file that is there now, or restore a backup.'

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

/** What the navigation calls the screens. */
export const PLACE_NAMES = {
  overview: 'Overview',
  fleet: 'Fleet',
  releases: 'Releases',
  devices: 'Devices',
  apps: 'Apps and channels',
  keys: 'API keys',
  audit: 'Audit log',
  settings: 'Settings',
} as const

/** What the frame around every screen says. */
export const text = {
  product: 'Tidegate',
  screens: 'Screens',
  search: 'Search',
} as const
