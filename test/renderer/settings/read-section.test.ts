import fc from 'fast-check'
import { expect, test } from 'vitest'
import { entriesOf } from '../../../src/renderer/components/text/sentence.ts'
import {
  notAppliedNames,
  SETTING_LABELS,
  settingIssueText,
} from '../../../src/renderer/settings/issue-strings.ts'
import { readNumber, readSection, sentence } from '../../../src/renderer/settings/read-section.ts'
import { compileTrust } from '../../../src/server/http/request/address.ts'
import { SettingIssue } from '../../../src/shared/console/settings/setting-issue.ts'
import {
  Address,
  DataRules,
  DEFAULT_SETTINGS,
  Security,
} from '../../../src/shared/console/settings/settings.ts'

test('the defaults are valid', () => {
  expect(readSection(Address, DEFAULT_SETTINGS.address)).toMatchObject({ ok: true })
  expect(readSection(Security, DEFAULT_SETTINGS.security)).toMatchObject({ ok: true })
  expect(readSection(DataRules, DEFAULT_SETTINGS.data)).toMatchObject({ ok: true })
})

test('every wrong field has its own issue', () => {
  const read = readSection(Address, { host: 'two words', port: 70_000 })
  const issues = read.ok ? new Map() : read.issues
  expect([...issues.keys()]).toEqual(['host', 'port'])
  expect(sentence('Port', issues.get('port'))).toBe('Port must be 0 to 65535.')
})

test.each(['', 1.5, -1, 70_000])('%o is no port', (port) => {
  expect(readSection(Address, { host: '127.0.0.1', port })).toMatchObject({ ok: false })
})

test.each([
  ['loopback', true],
  ['10.0.0.0/8', true],
  ['fd00::/8', true],
  ['::1', true],
  ['::ffff:10.0.0.1', true],
  ['10.0.0.0/33', false],
  ['0.0.0.0/0', false],
  ['::/0', false],
  ['::10.0.0.1', false],
  ['proxy.example', false],
  ['300.1.1.1', false],
])('the proxy %s is one: %s', (proxy, ok) => {
  const section = { ...DEFAULT_SETTINGS.security, trustProxy: [proxy] }
  expect(readSection(Security, section).ok).toBe(ok)
})

test.each([
  ['8440', 8440],
  [' 8440 ', 8440],
  ['0', 0],
  ['-1', -1],
  ['', undefined],
  ['   ', undefined],
  ['0x10', '0x10'],
  ['1e3', '1e3'],
  ['+5', '+5'],
  ['1.5', '1.5'],
  ['1,000', '1,000'],
  ['8 440', '8 440'],
  ['٣', '٣'],
])('%o is read as %o', (typed, number) => {
  expect(readNumber(typed)).toBe(number)
})

test('what is no whole number is named as such, and what is missing as missing', () => {
  const issueOf = (typed: string) => {
    const read = readSection(Address, { host: '127.0.0.1', port: readNumber(typed) })
    return read.ok ? undefined : read.issues.get('port')
  }
  expect(issueOf('0x10')).toBe('must be a whole number, such as 90')
  expect(issueOf('')).toBe('is required')
  expect(issueOf('-1')).toBe('must be 0 to 65535')
  expect(issueOf('99999999999999999999')).toBeDefined()
})

test('the server takes every proxy that the settings take', () => {
  const { trustProxy } = Security.shape
  fc.assert(
    fc.property(
      fc.oneof(fc.ipV4(), fc.ipV6(), fc.ipV4Extended()),
      fc.option(fc.nat(130), { nil: undefined }),
      (address, prefix) => {
        const proxy = prefix === undefined ? address : `${address}/${prefix}`
        if (!trustProxy.safeParse([proxy]).success) return
        expect(() => compileTrust([proxy])).not.toThrow()
      },
    ),
  )
})

test('proxies are read from lines and commas', () => {
  expect(entriesOf(' loopback,10.0.0.1\n\n::1 \n')).toEqual(['loopback', '10.0.0.1', '::1'])
})

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

const failure = { code: 'other', detail: 'odd' } as const
const at = '2026-01-02T03:04:05.000Z'

test('the settings that were not applied are named', () => {
  const settings = {
    ...DEFAULT_SETTINGS,
    address: { host: '0.0.0.0', port: DEFAULT_SETTINGS.address.port },
    security: { ...DEFAULT_SETTINGS.security, trustProxy: ['loopback'] },
    data: { ...DEFAULT_SETTINGS.data, keepCheckInDays: 1 },
  }
  const notApplied = { sections: ['address' as const, 'security' as const], settings, failure, at }
  expect(notAppliedNames(DEFAULT_SETTINGS, notApplied)).toEqual(['Listen on', 'Trusted proxies'])
})

test('every setting has a label', () => {
  const paths = Object.entries(DEFAULT_SETTINGS).flatMap(([section, settings]) =>
    Object.keys(settings).map((name) => `${section}.${name}`),
  )
  expect(Object.keys(SETTING_LABELS).sort()).toEqual(paths.sort())
})
