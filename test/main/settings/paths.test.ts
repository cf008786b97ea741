import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pathIssue } from '../../../src/main/settings/paths.ts'

test.each([
  ['win32', 'C:\\certs\\cert.pem', undefined],
  ['win32', 'd:/certs/cert.pem', undefined],
  ['win32', '\\\\server\\share\\cert.pem', 'drive'],
  ['win32', '//server/share/cert.pem', 'drive'],
  ['win32', '\\/server/share/cert.pem', 'drive'],
  ['win32', '\\\\?\\UNC\\server\\share\\cert.pem', 'drive'],
  ['win32', '\\??\\UNC\\server\\share\\cert.pem', 'drive'],
  ['win32', '\\\\.\\pipe\\some', 'drive'],
  ['win32', '\\certs\\cert.pem', 'drive'],
  ['win32', 'C:cert.pem', 'absolute'],
  ['win32', 'certs\\cert.pem', 'absolute'],
  ['linux', '/etc/certs/cert.pem', undefined],
  ['linux', 'certs/cert.pem', 'absolute'],
  ['darwin', '//server/share', undefined],
  ['darwin', '', 'absolute'],
] as const)('on %s %s: %s', (platform, path, issue) => {
  if (issue === undefined) expect(pathIssue(path, platform)).toBeUndefined()
  else expect(pathIssue(path, platform)).toContain(issue)
})

test('on Windows no path that begins with two separators is ever touched', () => {
  const separators = fc.stringMatching(/^[\\/]{2}$/)
  fc.assert(
    fc.property(separators, fc.string(), (start, rest) => {
      expect(pathIssue(start + rest, 'win32')).toBeDefined()
    }),
  )
})
