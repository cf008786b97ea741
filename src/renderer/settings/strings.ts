import type { PathIssue } from '../../shared/console/path-issue.ts'

/** Returns what is wrong with a file or folder, and what to do about it, to follow the name of its field. */
export function pathIssueText(issue: PathIssue): string {
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
    default:
      return issue satisfies never
  }
}
