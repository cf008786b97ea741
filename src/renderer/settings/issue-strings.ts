import { type Sentences, say } from '../../shared/coded.ts'
import type { SettingIssue } from '../../shared/console/settings/setting-issue.ts'
import type { NotApplied, ServerSettings } from '../../shared/console/settings/settings.ts'
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
  return say(ISSUES, issue)
}

const ISSUES: Sentences<SettingIssue> = {
  not_absolute: () => 'must be an absolute path. Choose it with the button next to the field.',
  remote: () =>
    'is not on a drive of this computer. Choose it with the button next to the field, or copy it to a drive.',
  not_a_file: () => 'is not a regular file. Choose a PEM file.',
  too_large: ({ maxBytes }) => `is larger than ${formatSize(maxBytes)}. Choose a PEM file.`,
  unreadable: ({ detail }) => `cannot be read (${detail}). Check the path and its permissions.`,
  not_a_certificate: () =>
    'is not a PEM certificate. Choose a file that contains BEGIN CERTIFICATE.',
  not_a_key: () =>
    'is not a PEM private key. Choose a file that contains BEGIN PRIVATE KEY and has no password.',
  other_key: () =>
    'does not match the certificate. Choose the key that the certificate was issued for.',
  weak_certificate: () => 'cannot be used for TLS. Create a certificate with a stronger key.',
  expired: ({ expiresAt }) =>
    `expired on ${formatTime(expiresAt, 'date')}. Choose a valid certificate.`,
  unusable_folder: ({ detail }) =>
    `cannot be used (${detail}). Choose a folder that this account can write to.`,
  port_in_use: ({ port }) =>
    `${port} is already in use. Stop the other program, or choose another port.`,
  port_forbidden: ({ port }) =>
    `${port} requires permissions that this account does not have. Choose a port above 1023.`,
  unknown_address: ({ host }) =>
    `${host} is not an address of this computer. Enter one of its addresses, or choose “${text.reachNetwork}”.`,
  unusable_address: ({ detail }) =>
    `cannot be used (${detail}). Enter another address of this computer.`,
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

/** Returns the labels of the settings that differ from the current ones. */
export function notAppliedNames(current: ServerSettings, notApplied: NotApplied): string[] {
  return notApplied.sections.flatMap((section) => {
    const before = new Map(Object.entries(current[section]))
    return Object.entries(notApplied.settings[section]).flatMap(([name, wanted]) => {
      const isSame = JSON.stringify(wanted) === JSON.stringify(before.get(name))
      return isSame ? [] : [SETTING_LABELS[`${section}.${name}`] ?? name]
    })
  })
}
