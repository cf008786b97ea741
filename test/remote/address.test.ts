import { expect, test } from 'vitest'
import { readAddress } from '../../src/remote/address.ts'

test.each([
  ['https://updates.studio.example', 'https://updates.studio.example', true, false],
  [' updates.studio.example:8440/ ', 'https://updates.studio.example:8440', true, false],
  [
    'https://studio.example/tidegate/console/#/keys',
    'https://studio.example/tidegate',
    true,
    false,
  ],
  ['https://studio.example/console', 'https://studio.example', true, false],
  ['HTTP://Box.LAN:8440', 'http://box.lan:8440', false, false],
  ['http://127.0.0.1:8440', 'http://127.0.0.1:8440', false, true],
  ['localhost:8440', 'http://localhost:8440', false, true],
  ['http://[::1]:8440', 'http://[::1]:8440', false, true],
  ['https://127.0.0.1:8440', 'https://127.0.0.1:8440', true, true],
  ['http://127.0.0.1.evil.example', 'http://127.0.0.1.evil.example', false, false],
  ['http://localhost.evil.example', 'http://localhost.evil.example', false, false],
])('%s is read', (typed, url, isEncrypted, isLoopback) => {
  expect(readAddress(typed)).toEqual({ url, isEncrypted, isLoopback })
})

test.each([
  '',
  ' ',
  'ftp://studio.example',
  'javascript:alert(1)',
  'https://',
  'https://ada:pw@studio.example',
  'file:///etc/passwd',
  'a b',
])('%j is no address of a server', (typed) => {
  expect(readAddress(typed)).toBeUndefined()
})
