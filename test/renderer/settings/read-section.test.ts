import { expect, test } from 'vitest'
import { readProxies, readSection, sentence } from '../../../src/renderer/settings/read-section.ts'
import {
  Address,
  DataRules,
  DEFAULT_SETTINGS,
  Security,
} from '../../../src/shared/console/settings.ts'

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
  ['10.0.0.0/33', false],
  ['proxy.example', false],
  ['300.1.1.1', false],
])('the proxy %s is one: %s', (proxy, ok) => {
  const section = { ...DEFAULT_SETTINGS.security, trustProxy: [proxy] }
  expect(readSection(Security, section).ok).toBe(ok)
})

test('proxies are read from lines and commas', () => {
  expect(readProxies(' loopback,10.0.0.1\n\n::1 \n')).toEqual(['loopback', '10.0.0.1', '::1'])
})
