import { expect, it } from 'vitest'
import { webLink } from '../../../src/main/page/web-link.ts'

it.each(['https://example.org/a?b#c', 'http://192.168.0.7:8440/'])('opens %s', (address) => {
  expect(webLink(address)).toBe(address)
})

it.each([
  'file:///etc/passwd',
  'javascript:alert(1)',
  'smb://server/share',
  'ms-settings:',
  'app://console/index.html',
  'https://user:secret@example.org/',
  'example.org',
  '//example.org',
  '',
])('does not open %o', (address) => {
  expect(webLink(address)).toBeUndefined()
})
