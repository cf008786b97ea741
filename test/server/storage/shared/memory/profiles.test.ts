import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type NamedBy, ProfileClaim } from '../../../../../src/server/fleet/profile-claim.ts'
import type { KnownProfile } from '../../../../../src/server/storage/shared/memory/profile-tree.ts'
import { Profiles } from '../../../../../src/server/storage/shared/memory/profiles.ts'
import { UnusedProfiles } from '../../../../../src/server/storage/sqlite/fleet/fleet-in-memory.ts'
import { OTHER } from '../../../../../src/shared/devices/counting.ts'

const APP = 1
const BUDGET = 3

const claim = (version: string, namedBy: NamedBy, platform = 'linux', channelKey = 1) =>
  new ProfileClaim(channelKey, version, platform, 'x64', namedBy)
const namesOf = ({ profile: { version, platform, arch } }: KnownProfile) => [
  version,
  platform,
  arch,
]
const OTHERS = [OTHER, OTHER, OTHER]
const stored = { appKey: APP, namedBy: 1, lastDay: 0 } as const

describe('profiles', () => {
  test('the same channel, version, platform and arch share one number', () => {
    const profiles = new Profiles(BUDGET)
    const idOf = (...parts: [number, string, string, string]) =>
      profiles.admit(APP, new ProfileClaim(...parts)).profile.id
    const id = idOf(1, '1.0.0', 'linux', 'x86_64')
    expect(idOf(1, '1.0.0', 'linux', 'x86_64')).toBe(id)
    const others = [
      idOf(2, '1.0.0', 'linux', 'x86_64'),
      idOf(1, '1.0.0+1', 'linux', 'x86_64'),
      idOf(1, '1.0.0', 'linux', ''),
      idOf(1, '1.0.0', '', 'linux'),
    ]
    expect(new Set([id, ...others]).size).toBe(5)
    const [channelKey, version, platform, arch] = [1, '1.0.0', 'linux', 'x86_64']
    expect(profiles.get(id)).toEqual({ id, channelKey, version, platform, arch })
    expect([profiles.get(0), profiles.get(99)]).toEqual([undefined, undefined])
  })

  test('a new profile is handed over for storing once, and again when it is used on another day', () => {
    const profiles = new Profiles(BUDGET)
    const running = { channelKey: 1, version: '1.0.0', platform: 'linux', arch: 'x64' }
    profiles.load({ id: 1, ...running, ...stored })
    expect(profiles.admit(APP, claim('1.0.0', 'release')).profile.id).toBe(1)
    expect(profiles.takeChanges().profiles).toEqual([])
    const fresh = profiles.admit(APP, claim('1.0.1', 'caller'))
    profiles.touch(fresh, 7)
    const row = { id: 2, ...running, version: '1.0.1', appKey: APP, namedBy: 0, lastDay: 7 }
    const taken = profiles.takeChanges()
    expect([taken.profiles, [...taken.profileRows]]).toEqual([[row], []])
    profiles.touch(fresh, 7)
    expect(profiles.takeChanges().profileRows).toHaveLength(0)
    profiles.touch(fresh, 8)
    expect([...profiles.takeChanges().profileRows]).toEqual([0, 8, 2])
  })

  test("a removed channel frees its part of the app's budget", () => {
    const profiles = new Profiles(BUDGET)
    for (let at = 0; at < BUDGET; at++) profiles.admit(APP, claim(`1.0.${at}`, 'caller'))
    const elsewhere = claim('1.1.0', 'caller', 'linux', 2)
    expect(namesOf(profiles.admit(APP, elsewhere))).toEqual(OTHERS)
    profiles.drop(1)
    expect(profiles.ofChannel(1)).toEqual([])
    expect(namesOf(profiles.admit(APP, elsewhere))[0]).toBe('1.1.0')
    expect(profiles.takeChanges().profiles.map(({ channelKey }) => channelKey)).toEqual([2, 2])
  })

  test("unvouched profiles beyond an app's budget are counted as other", () => {
    const profiles = new Profiles(BUDGET)
    for (let at = 0; at < BUDGET; at++) {
      expect(namesOf(profiles.admit(APP, claim(`1.0.${at}`, 'caller')))[0]).toBe(`1.0.${at}`)
    }
    expect(namesOf(profiles.admit(APP, claim('1.1.0', 'caller')))).toEqual(OTHERS)
    expect(namesOf(profiles.admit(APP, claim('1.1.0', 'caller', 'linux', 2)))).toEqual(OTHERS)
    expect(namesOf(profiles.admit(2, claim('1.1.0', 'caller', 'linux', 3)))[0]).toBe('1.1.0')
    // Those that are there already stay.
    expect(namesOf(profiles.admit(APP, claim('1.0.2', 'caller')))[0]).toBe('1.0.2')
  })

  test('released versions and profiles of keys are admitted beyond it', () => {
    const profiles = new Profiles(0)
    expect(namesOf(profiles.admit(APP, claim('1.0.0', 'release')))[1]).toBe('linux')
    expect(namesOf(profiles.admit(APP, claim('2.0.0', 'key', 'plan9')))[1]).toBe('plan9')
    const odd = profiles.admit(APP, claim('1.0.0', 'version', 'plan9'))
    expect(namesOf(odd)).toEqual(['1.0.0', OTHER, OTHER])
    expect(profiles.admit(APP, claim('1.0.0', 'version', 'beos'))).toBe(odd)
  })

  test('profiles of keys have their own budget', () => {
    const profiles = new Profiles(BUDGET, 2)
    for (let at = 0; at < BUDGET; at++) profiles.admit(APP, claim(`9.0.${at}`, 'caller'))
    for (let at = 0; at < 5; at++) profiles.admit(APP, claim(`1.0.${at}`, 'release'))
    expect([profiles.hasRoomFor(2), profiles.hasRoomFor(3)]).toEqual([true, false])
    profiles.admit(APP, claim('2.0.0', 'key'))
    profiles.admit(APP, claim('9.0.0', 'key'))
    expect([profiles.hasRoomFor(0), profiles.hasRoomFor(1)]).toEqual([true, false])
  })

  test('a profile that is vouched for later leaves the budget', () => {
    const profiles = new Profiles(1)
    const first = profiles.admit(APP, claim('1.0.0', 'caller'))
    expect(namesOf(profiles.admit(APP, claim('1.1.0', 'caller')))).toEqual(OTHERS)
    profiles.takeChanges()
    expect(profiles.admit(APP, claim('1.0.0', 'key'))).toBe(first)
    expect([...profiles.takeChanges().profileRows]).toEqual([2, 0, 1])
    expect(namesOf(profiles.admit(APP, claim('1.1.0', 'caller')))[0]).toBe('1.1.0')
  })

  test('unused unvouched profiles are retired in steps and make room', () => {
    const profiles = new Profiles(BUDGET)
    const unused = new UnusedProfiles(profiles)
    const [idle, busy, late] = [0, 1, 2].map((at) =>
      profiles.admit(APP, claim(`1.0.${at}`, 'caller')),
    )
    const named = profiles.admit(APP, claim('2.0.0', 'key'))
    if (idle === undefined || busy === undefined || late === undefined) throw new Error('none')
    for (const one of [idle, busy, late, named]) profiles.touch(one, 10)
    busy.devices = 1
    late.leftAt = 500
    const rule = { before: 11, after: 50, rowsThrough: 400, limit: 10 }
    expect(unused.retire(rule, () => false)).toBe(0)
    profiles.takeChanges()
    expect(unused.retire(rule, () => true)).toBe(0)
    expect(unused.retire({ ...rule, before: 10 }, () => false)).toBe(0)
    expect(unused.retire(rule, () => false)).toBe(1)
    expect(profiles.get(idle.profile.id)).toBeUndefined()
    const taken = profiles.takeChanges()
    const other = taken.profiles[0]?.id ?? 0
    expect([...taken.retired]).toEqual([idle.profile.id, other])
    expect(profiles.get(other)?.version).toBe(OTHER)
    // Its number is not given out again, though the same comes back.
    const again = profiles.admit(APP, claim('1.0.0', 'caller'))
    expect(again.profile.id).toBeGreaterThan(other)
    expect(namesOf(profiles.admit(APP, claim('1.0.7', 'caller')))).toEqual(OTHERS)
    // By a clock that ran ahead.
    profiles.touch(late, 900)
    expect(unused.retire({ ...rule, rowsThrough: 500 }, () => false)).toBe(1)
    expect(profiles.get(late.profile.id)).toBeUndefined()
  })

  test('vouched profiles are exact and the number of profiles is bounded, for any input', () => {
    const version = fc.nat({ max: 60 }).map((minor) => `1.${minor}.0`)
    const platform = fc.constantFrom('linux', 'plan9', 'beos', 'haiku')
    const sent = fc.record({ version, platform, app: fc.constantFrom(1, 2) })
    const isReleased = (text: string) => Number(text.split('.')[1]) % 10 === 0
    const step = fc.record({ sent, byKey: fc.boolean(), retires: fc.boolean() })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const profiles = new Profiles(BUDGET)
        const unused = new UnusedProfiles(profiles)
        const keyed = new Set<string>()
        for (const { sent: one, byKey, retires } of steps) {
          const { app, version: text } = one
          const vouched = one.platform === 'linux' ? 'release' : 'version'
          const namedBy = byKey ? 'key' : isReleased(text) ? vouched : 'caller'
          const running = profiles.admit(app, claim(text, namedBy, one.platform, app))
          if (byKey) keyed.add(`${app} ${text} ${one.platform}`)
          const [counted, on] = namesOf(running)
          if (namedBy === 'key' || namedBy === 'release') {
            expect([counted, on]).toEqual([text, one.platform])
          } else if (namedBy === 'version') expect(counted).toBe(text)
          else expect([text, OTHER]).toContain(counted)
          if (!retires) continue
          profiles.takeChanges()
          unused.retire({ before: 1, after: 1, rowsThrough: 0, limit: 2 }, () => false)
        }
        const all = [1, 2].flatMap((channel) => profiles.ofChannel(channel))
        // Released on linux and on other platforms, keyed ones, the budget and other.
        expect(all.length).toBeLessThanOrEqual(2 * (7 * 2 + BUDGET + 1) + keyed.size)
      }),
    )
  })
})
