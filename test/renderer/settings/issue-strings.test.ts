import { expect, test } from 'vitest'
import { settingIssueText } from '../../../src/renderer/settings/issue-strings.ts'
import { SettingIssue } from '../../../src/shared/console/setting-issue.ts'

const TEXTS: Readonly<Record<SettingIssue['code'], readonly [object, RegExp]>> = {
  not_absolute: [{}, /^must be an absolute path\. Choose/],
  remote: [{}, /^is not on a drive of this computer\. Choose/],
  not_a_file: [{}, /^is not a regular file\. Choose/],
  too_large: [{ maxBytes: 1_048_576 }, /^is larger than 1.0 MB\. Choose/],
  unreadable: [{ detail: 'ENOENT' }, /^cannot be read \(ENOENT\)\. Check/],
  not_a_certificate: [{}, /^is not a PEM certificate\. Choose/],
  not_a_key: [{}, /^is not a PEM private key\. Choose/],
  other_key: [{}, /^does not match the certificate\. Choose/],
  weak_certificate: [{}, /^cannot be used for TLS\. Create/],
  expired: [{ expiresAt: '2026-01-02T03:04:05.000Z' }, /^expired on Jan \d, 2026\. Choose/],
  unusable_folder: [{ detail: 'EROFS' }, /^cannot be used \(EROFS\)\. Choose/],
  port_in_use: [{ host: '0.0.0.0', port: 80 }, /^80 is already in use\. Stop/],
  port_forbidden: [{ host: '0.0.0.0', port: 80 }, /^80 requires permissions .*\. Choose a port/],
  unknown_address: [
    { host: '192.0.2.1' },
    /^192\.0\.2\.1 is not an address of this computer\. Enter/,
  ],
  unusable_address: [{ detail: 'EPERM' }, /^cannot be used \(EPERM\)\. Enter/],
}

test.each(Object.entries(TEXTS))('%s', (code, [facts, text]) => {
  expect(settingIssueText(SettingIssue.parse({ code, ...facts }))).toMatch(text)
})
