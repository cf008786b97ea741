import { expect, test } from 'vitest'
import { wideRange } from '../../../src/renderer/settings/read-section.ts'

test.each([
  '0.0.0.0/1',
  '128.0.0.0/1',
  '8.0.0.0/7',
  '2000::/3',
  '::/1',
  '::ffff:0:0/96',
  '0:0:0:0:0:ffff::/97',
  '::/16',
])('%s includes addresses on the internet', (range) => {
  expect(wideRange(['loopback', range])).toBe(range)
})

test.each([
  'loopback',
  '10.0.0.0/8',
  '192.168.1.20',
  '::1',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
  '::ffff:10.0.0.0/104',
])('%s does not', (proxy) => {
  expect(wideRange([proxy])).toBeUndefined()
})
