import type { SettingIssue } from '../../shared/console/setting-issue.ts'
import { formatSize } from '../../shared/wording/format.ts'
import { formatTime } from '../components/text/time.ts'
import { NUMBERS, type NumberText } from './number-strings.ts'
import { text } from './strings.ts'

/** The labels of settings by their path, to name those that were not applied. */
export const SETTING_LABELS: Readonly<Record<string, string>> = {
  'address.host': text.reach,
  'address.port': text.port,
  'security.tls': text.https,
  'security.limits': text.limits,
  'security.budgets': text.budgets,
  'security.trustProxy': text.proxies,
  'data.backups': text.scheduled,
  'files.isOn': text.storeFiles,
  'files.folder': text.filesFolder,
  'files.publicUrl': text.publicUrl,
  ...labels({ security: NUMBERS.connections, data: NUMBERS.retention, files: NUMBERS.hosting }),
}

/** The labels of the fields whose values are checked before the restart, by their path. */
export const FIELD_LABELS: Readonly<Record<string, string>> = {
  'address.host': text.address,
  'address.port': text.port,
  'security.tls.certFile': text.certificate,
  'security.tls.keyFile': text.key,
  'data.backups.folder': text.folder,
  'files.folder': text.filesFolder,
}

/** Returns what is wrong with a setting, and what to do about it, to follow the name of its field. */
export function settingIssueText(issue: SettingIssue): string {
  switch (issue.code) {
    case 'not_absolute':
      return 'must be an absolute path. Choose it with the button next to the field.'
    case 'remote':
      return 'is not on a drive of this computer. Choose it with the button next to the field, or copy it to a drive.'
    case 'not_a_file':
      return 'is not a regular file. Choose a PEM file.'
    case 'too_large':
      return `is larger than ${formatSize(issue.maxBytes)}. Choose a PEM file.`
    case 'unreadable':
      return `cannot be read (${issue.detail}). Check the path and its permissions.`
    case 'not_a_certificate':
      return 'is not a PEM certificate. Choose a file that contains BEGIN CERTIFICATE.'
    case 'not_a_key':
      return 'is not a PEM private key. Choose a file that contains BEGIN PRIVATE KEY and has no password.'
    case 'other_key':
      return 'does not match the certificate. Choose the key that the certificate was issued for.'
    case 'weak_certificate':
      return 'cannot be used for TLS. Create a certificate with a stronger key.'
    case 'expired':
      return `expired on ${formatTime(issue.expiresAt, 'date')}. Choose a valid certificate.`
    case 'unusable_folder':
      return `cannot be used (${issue.detail}). Choose a folder that this account can write to.`
    case 'port_in_use':
      return `${issue.port} is already in use. Stop the other program, or choose another port.`
    case 'port_forbidden':
      return `${issue.port} requires permissions that this account does not have. Choose a port above 1023.`
    case 'unknown_address':
      return `${issue.host} is not an address of this computer. Enter one of its addresses, or choose “${text.reachNetwork}”.`
    case 'unusable_address':
      return `cannot be used (${issue.detail}). Enter another address of this computer.`
    default:
      return issue satisfies never
  }
}

/** Returns why the server refused its certificate at the start, to follow the name of the field. */
export function tlsFailureText(detail: string): string {
  return `cannot be used (${detail}). Choose a certificate and its private key, or turn off HTTPS.`
}

function labels(sections: Readonly<Record<string, Readonly<Record<string, NumberText>>>>) {
  return Object.fromEntries(
    Object.entries(sections).flatMap(([section, fields]) =>
      Object.entries(fields).map(([name, { label }]) => [`${section}.${name}`, label]),
    ),
  )
}
