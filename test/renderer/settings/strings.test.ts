import { expect, test } from 'vitest'
import { settingIssueText } from '../../../src/renderer/settings/strings.ts'
import { PathIssue } from '../../../src/shared/console/setting-issue.ts'

const TEXTS: Readonly<Record<PathIssue['code'], readonly [object, RegExp]>> = {
  not_absolute: [{}, /^must be an absolute path\. Choose/],
  remote: [{}, /^is not on a drive of this computer\. Choose/],
  not_a_file: [{}, /^is not a regular file\. Choose/],
  too_large: [{ maxBytes: 7 }, /^is larger than 7 bytes\. Choose/],
  unreadable: [{ detail: 'ENOENT' }, /^cannot be read \(ENOENT\)\. Check/],
  not_a_certificate: [{}, /^is not a certificate in PEM\. Choose/],
  not_a_key: [{}, /^is not a private key in PEM\. Choose/],
  other_key: [{}, /^does not belong to the certificate\. Choose/],
  weak_certificate: [{}, /^cannot be used for TLS\. Make/],
  expired: [{ expiresAt: '2026-01-02T03:04:05.000Z' }, /^expired on 2026-01-02\. Choose/],
  unusable_folder: [{ detail: 'EROFS' }, /^cannot be used \(EROFS\)\. Choose/],
}

test.each(Object.entries(TEXTS))('%s', (code, [facts, text]) => {
  expect(settingIssueText(PathIssue.parse({ code, ...facts }))).toMatch(text)
})
