import { describe, expect, test } from 'vitest'
import { createApp, createChannel } from '../../../../src/server/catalog/apps.ts'
import { ACTOR } from '../../../support/builders/actor.ts'
import { deviceWithin } from '../../../support/builders/devices.ts'
import { artifact, artifactFor, SHA512_HEX } from '../../../support/builders/releases.ts'
import { profileOf } from '../../../support/fleet/profile-of.ts'
import {
  check,
  expectError,
  publish,
  setPolicy,
  startWith,
} from '../../../support/servers/calls.ts'
import { openElsewhere } from '../../../support/servers/catalog.ts'
import { checkAs, MANIFEST_MEMBERS, offeredTo } from '../../../support/servers/fleet-calls.ts'
import { startWithApp } from '../../../support/servers/server.ts'

describe('the manifest', () => {
  test('has exactly the ten members, with the values of the release', async () => {
    const server = await startWithApp()
    const release = await publish(server, '1.1.0-rc.1+build.7', {
      notes: '# Neu ✨\n"quoted" \u2028 <b>',
      artifacts: [
        artifact({ size: 4_711, signature: 'c2ln\nbmF0dXJl' }),
        artifactFor('linux', 'x64'),
      ],
    })
    await setPolicy(server, { minimumSupportedVersion: '0.5.0' })
    const { status, body } = await check(server, '1.0.0')
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual([...MANIFEST_MEMBERS].sort())
    expect(body).toEqual({
      version: '1.1.0-rc.1+build.7',
      notes: '# Neu ✨\n"quoted" \u2028 <b>',
      pub_date: release.createdAt,
      url: 'https://downloads.example/editor.tar.gz',
      sha512: SHA512_HEX,
      signature: 'c2ln\nbmF0dXJl',
      size: 4_711,
      updateMode: 'optional',
      minimumSupportedVersion: '0.5.0',
      allowDowngrade: false,
    })
  })

  test('has 0 and "" for an unknown size and signature', async () => {
    const server = await startWith('1.1.0')
    expect((await check(server, '1.0.0')).body).toMatchObject({ size: 0, signature: '' })
  })

  test('follows a change of the policy', async () => {
    const server = await startWith('2.0.0')
    const shown = async (version: string) => {
      const { body } = await check(server, version)
      return [body.updateMode, body.minimumSupportedVersion]
    }
    expect(await shown('1.0.0')).toEqual(['optional', '0.0.0'])
    await setPolicy(server, { minimumSupportedVersion: '1.5.0' })
    expect(await shown('1.0.0')).toEqual(['required', '1.5.0'])
    expect(await shown('1.5.0-rc.1')).toEqual(['required', '1.5.0'])
    expect(await shown('1.5.0')).toEqual(['optional', '1.5.0'])
    await setPolicy(server, { updateMode: 'required' })
    expect(await shown('1.5.0')).toEqual(['required', '1.5.0'])
  })
})

describe('the version on the way', () => {
  test('gets the latest release above it, or none', async () => {
    const server = await startWith('1.2.0', '2.0.0', '1.10.0')
    expect(await offeredTo(server, '1.0.0')).toBe('2.0.0')
    expect(await offeredTo(server, '2.0.0')).toBeNull()
    expect(await offeredTo(server, '2.0.1')).toBeNull()
    expect(await offeredTo(server, '2.0.0-rc.1')).toBe('2.0.0')
  })

  test('is percent-decoded, may start with v, and is ordered by its build metadata too', async () => {
    const server = await startWith('1.2.3+7')
    expect(await offeredTo(server, '1.2.3%2B6')).toBe('1.2.3+7')
    expect(await offeredTo(server, '1.2.3+6')).toBe('1.2.3+7')
    expect(await offeredTo(server, 'v1.2.3%2B6')).toBe('1.2.3+7')
    expect(await offeredTo(server, '1.2.3')).toBe('1.2.3+7')
    expect(await offeredTo(server, '1.2.3%2B7')).toBeNull()
    expect(await offeredTo(server, '1.2.3+10')).toBeNull()
  })

  test('every other part of the path is percent-decoded as well', async () => {
    const server = await startWith('1.1.0')
    const encoded = {
      app: '%65ditor',
      channel: 'st%61ble',
      platform: '%64arwin',
      arch: 'aarch%364',
    }
    expect(await offeredTo(server, '1%2E0.0', encoded)).toBe('1.1.0')
  })

  const refused: Readonly<Record<string, [path: string, message: RegExp]>> = {
    'a version that is none': ['stable/darwin/aarch64/1.2', /^version: must be a semantic version/],
    'two leading letters': ['stable/darwin/aarch64/vv1.2.0', /^version: /],
    'a number beyond 2^53 − 1': [
      'stable/darwin/aarch64/9007199254740992.0.0',
      /^version: has a major, minor or patch number above 9007199254740991/,
    ],
    'a build number with leading zeros': ['stable/darwin/aarch64/1.0.0%2B01', /^version: .*zeros/],
    'a version of more than 256 characters': [
      `stable/darwin/aarch64/1.0.0-${'a'.repeat(251)}`,
      /^version: must be at most 256 characters/,
    ],
    'a platform with a space': ['stable/dar%20win/aarch64/1.0.0', /^platform: /],
    'an arch with a slash': ['stable/darwin/aarch%2F64/1.0.0', /^arch: /],
    'what is not UTF-8': ['stable/darwin/aarch64/1.0.0%FF', /^path: is not percent-encoded UTF-8/],
  }
  test('an invalid path is rejected with the part that is wrong', async () => {
    const server = await startWith('9.0.0')
    for (const [what, [path, message]] of Object.entries(refused)) {
      const answer = await server.call('GET', `/u/editor/${path}`, { key: null })
      expect(expectError(answer, 400), what).toMatch(message)
    }
  })
})

describe('the device header', () => {
  test('counts in any case, and empty as if it were not there', async () => {
    const server = await startWithApp()
    const release = await publish(server, '1.1.0', { rolloutPct: 10 })
    const device = deviceWithin(release.id, 0, 0.1)
    for (const name of ['X-Service-Device', 'x-service-device', 'X-SERVICE-DEVICE']) {
      expect(await offeredTo(server, '1.0.0', { headers: { [name]: device } })).toBe('1.1.0')
    }
    expect(await offeredTo(server, '1.0.0', { headers: { 'X-Service-Device': '' } })).toBeNull()
  })

  test('with a space, a letter beyond ASCII or more than 128 characters is refused', async () => {
    const server = await startWith('1.1.0')
    for (const device of ['one two', 'gerät', 'x'.repeat(129)]) {
      const answer = await checkAs(server, '1.0.0', { device })
      expect(expectError(answer, 400)).toMatch(/^X-Service-Device: must be 1 to 128 printable/)
    }
  })

  test('may be any 128 printable characters', async () => {
    const server = await startWith('1.1.0')
    const device = `~!"'%_{}${'x'.repeat(120)}`
    expect(await offeredTo(server, '1.0.0', { device })).toBe('1.1.0')
    await server.fleet.settled()
    const app = server.catalog.snapshot.appByName.get('editor')?.record.key ?? 0
    expect(await profileOf(server.fleet, app, device)).toMatchObject({ version: '1.0.0' })
  })
})

describe('platform and arch', () => {
  const spellings: readonly [platform: string, arch: string, others: readonly string[]][] = [
    ['darwin', 'aarch64', ['macos/arm64', 'mac/aarch64', 'osx/arm64', 'DARWIN/ARM64']],
    ['windows', 'x86_64', ['win32/x64', 'win/amd64', 'Windows/X86_64']],
    ['windows', 'aarch64', ['win32/arm64', 'win/aarch64']],
    ['linux', 'i686', ['linux/x86', 'linux/ia32', 'linux/i386']],
    ['linux', 'armv7', ['linux/armv7l', 'linux/armhf']],
    ['haiku', 'riscv64', ['Haiku/RISCV64']],
  ]
  test('are found by every name for them, in any case', async () => {
    const server = await startWithApp()
    const artifacts = spellings.map(([platform, arch]) => artifactFor(platform, arch))
    await publish(server, '1.1.0', { artifacts })
    for (const [platform, arch, others] of spellings) {
      for (const name of [`${platform}/${arch}`, ...others]) {
        const [asked = '', askedArch = ''] = name.split('/')
        const answer = await checkAs(server, '1.0.0', { platform: asked, arch: askedArch })
        expect(answer.body?.url, name).toBe(`https://downloads.example/${platform}/${arch}`)
      }
    }
  })
})

describe('app and channel', () => {
  test('an app is found by its id too', async () => {
    const server = await startWith('1.1.0')
    const id = server.catalog.snapshot.appByName.get('editor')?.record.id ?? ''
    expect(await offeredTo(server, '1.0.0', { app: id })).toBe('1.1.0')
  })

  test('each channel has its own releases', async () => {
    const server = await startWith('1.1.0')
    await createChannel(server.catalog, ACTOR, { app: 'editor', name: 'beta' })
    await publish(server, '2.0.0', { channel: 'beta' })
    expect(await offeredTo(server, '1.0.0')).toBe('1.1.0')
    expect(await offeredTo(server, '1.0.0', { channel: 'beta' })).toBe('2.0.0')
  })

  test('unknown ones are named', async () => {
    const server = await startWith('1.1.0')
    const noApp = await checkAs(server, '1.0.0', { app: 'player' })
    expect(expectError(noApp, 404)).toBe('unknown app "player"')
    const noChannel = await checkAs(server, '1.0.0', { channel: 'beta' })
    expect(expectError(noChannel, 404)).toBe('unknown channel "beta" of app "editor"')
  })

  test('apps that another process has just created are found immediately', async () => {
    const server = await startWith('1.1.0')
    const other = await openElsewhere(server.folder)
    await createApp(other, ACTOR, { ref: 'player' })
    expect(await offeredTo(server, '1.0.0', { app: 'player' })).toBeNull()
    await createChannel(other, ACTOR, { app: 'player', name: 'beta' })
    expect(await offeredTo(server, '1.0.0', { app: 'player', channel: 'beta' })).toBeNull()
  })
})
