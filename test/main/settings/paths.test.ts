import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pathIssue } from '../../../src/main/settings/paths.ts'

test.each([
  ['win32', 'C:\\certs\\cert.pem', undefined],
  ['win32', 'd:/certs/cert.pem', undefined],
  ['win32', '\\\\server\\share\\cert.pem', 'remote'],
  ['win32', '//server/share/cert.pem', 'remote'],
  ['win32', '\\/server/share/cert.pem', 'remote'],
  ['win32', '\\\\?\\UNC\\server\\share\\cert.pem', 'remote'],
  ['win32', '\\??\\UNC\\server\\share\\cert.pem', 'remote'],
  ['win32', '\\\\.\\pipe\\some', 'remote'],
  ['win32', '\\certs\\cert.pem', 'remote'],
  ['win32', 'C:cert.pem', 'not_absolute'],
  ['win32', 'certs\\cert.pem', 'not_absolute'],
  ['linux', '/etc/certs/cert.pem', undefined],
  ['linux', 'certs/cert.pem', 'not_absolute'],
  ['darwin', '//server/share', undefined],
  ['darwin', '', 'not_absolute'],
] as const)('on %s %s: %s', (platform, path, code) => {
  expect(pathIssue(path, platform)?.code).toBe(code)
})

test('on Windows no path that begins with two separators is ever touched', () => {
  const separators = fc.stringMatching(/^[\\/]{2}$/)
  fc.assert(
    fc.property(separators, fc.string(), (start, rest) => {
      expect(pathIssue(start + rest, 'win32')).toBeDefined()
    }),
  )
})
