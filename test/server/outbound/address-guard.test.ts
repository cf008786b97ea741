import { expect, test } from 'vitest'
import {
  isAllowedPrivate,
  isPublicAddress,
  literalAddress,
} from '../../../src/server/outbound/address-guard.ts'

test.each([
  ...['127.0.0.1', '127.255.0.3', '0.0.0.0', '10.1.2.3', '172.16.0.1', '172.31.255.255'],
  ...['192.168.1.1', '169.254.169.254', '100.64.0.1', '224.0.0.1', '255.255.255.255'],
  ...['192.0.2.5', '198.51.100.7', '203.0.113.9', '198.18.0.1'],
  ...['::1', '::', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::127.0.0.1', 'fe80::1', 'fe80::1%eth0'],
  ...['fc00::1', 'fd12:3456::1', 'ff02::1', '64:ff9b::7f00:1', '2002:7f00:1::', '2001:db8::1'],
  // Of clouds, and IPv4 that is translated (RFC 7915).
  ...['168.63.129.16', '::ffff:168.63.129.16', '::ffff:0:8.8.8.8', '::ffff:0:127.0.0.1'],
  ...['100::1', '100:0:0:1::1', '100:0:0:1:ffff::1', '192.88.99.2', '192.31.196.1', '192.52.193.1'],
  ...['192.175.48.1', '2001::1', '2001:1ff:ffff::1', '2620:4f:8000::1', '5f00::1', '3fff:fff::1'],
  'not an address',
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each([
  ...['1.1.1.1', '8.8.8.8', '172.15.0.1', '172.32.0.1', '100.63.0.1', '::ffff:8.8.8.8'],
  ...['168.63.129.15', '168.63.129.17', '100:0:0:2::1', '192.31.197.1', '2620:4f:8001::1'],
  ...['2606:4700::1111', '2a00:1450:4001::1'],
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test('every way to write an address in a URL is read as that address', () => {
  const forms = ['http://0x7f.1/', 'http://2130706433/', 'http://017700000001/', 'http://127.1/']
  for (const form of forms) expect(literalAddress(new URL(form)), form).toBe('127.0.0.1')
  expect(literalAddress(new URL('http://[::1]:80/'))).toBe('::1')
  expect(literalAddress(new URL('http://localhost/'))).toBeUndefined()
})

test('a host is allowed with any port or with one', () => {
  const url = new URL('http://hooks.internal:8080/x')
  expect(isAllowedPrivate(url, ['hooks.internal'])).toBe(true)
  expect(isAllowedPrivate(url, ['hooks.internal:8080'])).toBe(true)
  expect(isAllowedPrivate(url, ['hooks.internal:8081', 'internal'])).toBe(false)
})
