import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressKey } from '../../../../src/server/runtime/limits/address-key.ts'

const group = fc.integer({ min: 0, max: 0xff_ff }).map((number) => number.toString(16))
const groups = (length: number) => fc.array(group, { minLength: length, maxLength: length })
/** A /64 that is not the first of all, where IPv4 addresses are. */
const prefix = groups(4).filter((parts) => parts.some((part) => part !== '0' && part !== '64'))

describe('the key of an address', () => {
  test('is an IPv4 address as it is', () => {
    expect(addressKey('203.0.113.9')).toBe('203.0.113.9')
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(addressKey(address)).toBe(address)
      }),
    )
  })

  test('is the /64 of an IPv6 address, however it is spelled', () => {
    for (const address of [
      '2001:db8:0:12::1',
      '2001:db8:0:12:ffff:ffff:ffff:ffff',
      '2001:0DB8:0000:0012:0:0:0:1',
      '2001:db8:0:12::203.0.113.9',
      '2001:db8:0:12::1%eth0',
      '[2001:db8:0:12::1]',
      '[2001:db8:0:12::1]:4711',
    ]) {
      expect(addressKey(address), address).toBe('2001:db8:0:12::/64')
    }
    expect(addressKey('::1')).toBe('0:0:0:0::/64')
    expect(addressKey('2001:db8::')).toBe('2001:db8:0:0::/64')
    expect(addressKey('2001:db8:0:13::1')).toBe('2001:db8:0:13::/64')
  })

  test('is the same for any two addresses of a /64, and another for any other', () => {
    fc.assert(
      fc.property(prefix, prefix, groups(4), groups(4), (network, other, host, second) => {
        const key = addressKey([...network, ...host].join(':'))
        expect(addressKey([...network, ...second].join(':'))).toBe(key)
        expect(addressKey(`${network.join(':')}::`)).toBe(key)
        const differs = network.join() !== other.join()
        expect(addressKey([...other, ...host].join(':')) !== key).toBe(differs)
      }),
    )
  })

  test('is the IPv4 address within a mapped or translated address', () => {
    expect(addressKey('::ffff:203.0.113.9')).toBe('203.0.113.9')
    expect(addressKey('::FFFF:cb00:7109')).toBe('203.0.113.9')
    expect(addressKey('64:ff9b::203.0.113.9')).toBe('203.0.113.9')
    expect(addressKey('64:ff9b::1:0:0')).toBe('64:ff9b:0:0::/64')
  })

  test('leaves out the port that some proxies add', () => {
    expect(addressKey('203.0.113.9:4711')).toBe('203.0.113.9')
  })

  test('is short, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => {
        expect(addressKey(text).length).toBeLessThanOrEqual(64)
      }),
    )
    expect(addressKey(':'.repeat(10_000))).toHaveLength(64)
    expect(addressKey('')).toBe('')
  })
})
