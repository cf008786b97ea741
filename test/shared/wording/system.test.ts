import { expect, test } from 'vitest'
import { systemInWords } from '../../../src/shared/wording/artifacts.ts'

test.each([
  ['darwin', '14.0', 'macOS 14'],
  ['macos', '10.15.7', 'macOS 10.15.7'],
  ['darwin', '23.4.0', 'macOS 14.4'],
  ['darwin', 'darwin-25.0.0', 'macOS 26'],
  ['windows', '10.0.22631', 'Windows 10.0.22631'],
  ['win32', 'windows-11', 'Windows 11'],
  ['linux', '6.8.0-45-generic', 'Linux 6.8.0-45-generic'],
  ['darwin', 'Sonoma', 'Sonoma'],
  ['darwin', 'windows-11', 'windows-11'],
  ['freebsd', '14.1', '14.1'],
  ['', '14.1', '14.1'],
])('on %s, %s reads: %s', (platform, version, words) => {
  expect(systemInWords(platform, version)).toBe(words)
})
