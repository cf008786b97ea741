import { expect, test } from 'vitest'
import { settingIssueText } from '../../../src/renderer/settings/strings.ts'
import { SettingIssue } from '../../../src/shared/console/setting-issue.ts'

const address = { host: '10.0.0.1', port: 80 }

const TEXTS: Readonly<Record<SettingIssue['code'], readonly [object, string]>> = {
  not_absolute: [{}, 'must be an absolute path. Choose it with the button next to the field.'],
  remote: [
    {},
    'is not on a drive of this computer. Choose it with the button next to the field, or copy it to a drive.',
  ],
  not_a_file: [{}, 'is not a regular file. Choose a PEM file.'],
  too_large: [{ maxBytes: 7 }, 'is larger than 7 bytes. Choose a PEM file.'],
  unreadable: [
    { detail: 'ENOENT' },
    'cannot be read (ENOENT). Check the path and its permissions.',
  ],
  not_a_certificate: [{}, 'is not a certificate in PEM. Choose a file with BEGIN CERTIFICATE.'],
  not_a_key: [
    {},
    'is not a private key in PEM. Choose a file with BEGIN PRIVATE KEY that has no password.',
  ],
  other_key: [{}, 'does not belong to the certificate. Choose the key it was made with.'],
  weak_certificate: [{}, 'cannot be used for TLS. Make one with a stronger key.'],
  expired: [
    { expiresAt: '2026-01-02T03:04:05.000Z' },
    'expired on 2026-01-02. Choose one that is valid.',
  ],
  unusable_folder: [
    { detail: 'EROFS' },
    'cannot be used (EROFS). Choose a folder that this account can write to.',
  ],
  port_in_use: [address, '80 is already in use. Stop the other program, or choose another port.'],
  port_forbidden: [
    address,
    '80 requires permissions that this account does not have. Choose a port above 1023.',
  ],
  unknown_address: [
    { host: '10.0.0.1' },
    '10.0.0.1 is not an address of this computer. Enter one of its addresses, or choose “All network interfaces”.',
  ],
  unusable_address: [
    { detail: 'EINVAL' },
    'cannot be used (EINVAL). Enter another address of this computer.',
  ],
}

test.each(Object.entries(TEXTS))('%s', (code, [facts, text]) => {
  expect(settingIssueText(SettingIssue.parse({ code, ...facts }))).toBe(text)
})
