import { describe, expect, test } from 'vitest'
import { MAX_PROFILES, Profiles } from '../../src/server/fleet/profiles.ts'

describe('profiles', () => {
  test('the same channel, version, platform and arch share one number', () => {
    const profiles = new Profiles()
    const id = profiles.idOf(1, '1.0.0', 'linux', 'x86_64')
    expect(profiles.idOf(1, '1.0.0', 'linux', 'x86_64')).toBe(id)
    const others = [
      profiles.idOf(2, '1.0.0', 'linux', 'x86_64'),
      profiles.idOf(1, '1.0.0+1', 'linux', 'x86_64'),
      profiles.idOf(1, '1.0.0', 'linux', ''),
      profiles.idOf(1, '1.0.0', '', 'linux'),
    ]
    expect(new Set([id, ...others]).size).toBe(5)
    const [channelKey, version, platform, arch] = [1, '1.0.0', 'linux', 'x86_64']
    expect(profiles.get(id)).toEqual({ id, channelKey, version, platform, arch })
    expect([profiles.get(0), profiles.get(99)]).toEqual([undefined, undefined])
  })

  test('a new profile is handed over for storing once', () => {
    const profiles = new Profiles()
    profiles.load({ id: 1, channelKey: 1, version: '1.0.0', platform: 'linux', arch: 'x64' })
    expect(profiles.idOf(1, '1.0.0', 'linux', 'x64')).toBe(1)
    expect(profiles.takeFresh()).toEqual([])
    const id = profiles.idOf(1, '1.0.1', 'linux', 'x64')
    expect(id).toBe(2)
    const fresh = { id, channelKey: 1, version: '1.0.1', platform: 'linux', arch: 'x64' }
    expect(profiles.takeFresh()).toEqual([fresh])
    profiles.idOf(1, '1.0.1', 'linux', 'x64')
    expect(profiles.takeFresh()).toEqual([])
  })

  test('when there is no room left, known ones are found and new ones have the number 0', () => {
    const profiles = new Profiles()
    const name = (at: number) => [1, `1.0.${at}`, 'linux', 'x64'] as const
    for (let at = 1; at <= MAX_PROFILES; at++) {
      if (profiles.idOf(...name(at)) !== at) throw new Error(`profile ${at} has another number`)
    }
    expect(profiles.idOf(...name(MAX_PROFILES + 1))).toBe(0)
    expect(profiles.idOf(...name(MAX_PROFILES))).toBe(MAX_PROFILES)
    expect(profiles.takeFresh()).toHaveLength(MAX_PROFILES)
  })
})
