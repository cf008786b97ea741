import type { SettingIssue } from '../../shared/console/setting-issue.ts'

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
      return `is larger than ${issue.maxBytes} bytes. Choose a PEM file.`
    case 'unreadable':
      return `cannot be read (${issue.detail}). Check the path and its permissions.`
    case 'not_a_certificate':
      return 'is not a certificate in PEM. Choose a file with BEGIN CERTIFICATE.'
    case 'not_a_key':
      return 'is not a private key in PEM. Choose a file with BEGIN PRIVATE KEY that has no password.'
    case 'other_key':
      return 'does not belong to the certificate. Choose the key it was made with.'
    case 'weak_certificate':
      return 'cannot be used for TLS. Make one with a stronger key.'
    case 'expired':
      return `expired on ${issue.expiresAt.slice(0, 10)}. Choose one that is valid.`
    case 'unusable_folder':
      return `cannot be used (${issue.detail}). Choose a folder that this account can write to.`
    case 'port_in_use':
      return `${issue.port} is already in use. Stop the other program, or choose another port.`
    case 'port_forbidden':
      return `${issue.port} requires permissions that this account does not have. Choose a port above 1023.`
    case 'unknown_address':
      return `${issue.host} is not an address of this computer. Enter one of its addresses, or choose “All network interfaces”.`
    case 'unusable_address':
      return `cannot be used (${issue.detail}). Enter another address of this computer.`
    default:
      return issue satisfies never
  }
}
