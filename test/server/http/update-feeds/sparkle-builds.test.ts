import { describe, expect, test } from 'vitest'
import { compareAsSparkle } from '../../../../src/shared/artifacts/documents/sparkle-order.ts'
import { deviceWithin } from '../../../support/builders/devices.ts'
import { artifact } from '../../../support/builders/releases.ts'
import { eventually } from '../../../support/eventually.ts'
import { publish, serve, setPolicy } from '../../../support/servers/calls.ts'
import { startWithApp, type TestServer } from '../../../support/servers/server.ts'
import { itemFor } from '../../../support/updaters/appcast.ts'

const artifacts = [artifact({ arch: 'universal', url: 'https://a.example/Editor.dmg' })]

async function startWith(...versions: string[]): Promise<TestServer> {
  const server = await startWithApp()
  for (const version of versions) await publish(server, version, { artifacts })
  return server
}

/** What Sparkle installs in an app with that `CFBundleVersion`, as `SUAppcastDriver.m` decides; null for nothing. */
async function installed(server: TestServer, running: string): Promise<string | null> {
  const item = await itemFor(server, `?version=${encodeURIComponent(running)}`)
  const version = item?.version ?? ''
  return item !== null && compareAsSparkle(running, version) < 0 ? version : null
}

/** Whether a device with that `CFBundleVersion` is offered something, taken or not. */
const offered = async (server: TestServer, running: string) =>
  (await itemFor(server, `?version=${encodeURIComponent(running)}`))?.version ?? null

describe('an app with build numbers', () => {
  test('is offered them, with the version for people', async () => {
    const server = await startWith('1.0.43+260')
    expect(await itemFor(server, '?version=259')).toMatchObject({ version: '260', shown: '1.0.43' })
    expect(await itemFor(server)).toMatchObject({ version: '260', shown: '1.0.43' })
  })

  test('gets its first update, the next one, and then none', async () => {
    const server = await startWith('1.0.43+260')
    expect(await installed(server, '259')).toBe('260')
    expect(await offered(server, '260')).toBeNull()
    await publish(server, '1.0.44-beta.1+261', { artifacts })
    expect(await installed(server, '260')).toBe('261')
    await publish(server, '1.0.44+270', { artifacts })
    expect(await installed(server, '261')).toBe('270')
    expect(await installed(server, '259')).toBe('270')
    // Built, and not published.
    for (const running of ['271', '1000', '270.1']) {
      expect.soft(await offered(server, running), running).toBeNull()
    }
  })

  test('can have build numbers of two to four numbers', async () => {
    const server = await startWith('1.0.0+4000.1', '1.1.0+4000.2.1', '1.2.0+4001')
    for (const running of ['1', '4000', '4000.1', '4000.1.9', '4000.2.1', '4000.9.9', '04000.1']) {
      expect.soft(await installed(server, running), running).toBe('4001')
    }
    for (const running of ['4001', '4001.0', '4001.0.0', '5000.0.0']) {
      expect.soft(await offered(server, running), running).toBeNull()
    }
    await publish(server, '1.2.0+4001.0.0.1', { artifacts })
    expect(await installed(server, '4001')).toBe('4001.0.0.1')
    for (const running of ['4001.0.0.1', '4001.0.0.2']) {
      expect.soft(await offered(server, running), running).toBeNull()
    }
  })

  test('appears with the version of its build, or with the build beside the version below', async () => {
    const server = await startWith('1.0.42+250', '1.0.43+260')
    const versionOf = async (running: string) => {
      const device = `device-${running}`
      await itemFor(server, `?version=${running}&device=${device}`)
      const { key: app } = server.catalog.snapshot.apps[0]?.record ?? { key: 0 }
      return await eventually(async () => {
        const [profile] = await server.fleet.profilesOf(app, [device])
        expect(profile).toBeDefined()
        return profile?.version
      })
    }
    expect(await versionOf('260')).toBe('1.0.43+260')
    expect(await versionOf('250')).toBe('1.0.42+250')
    expect(await versionOf('255')).toBe('1.0.42+255')
    expect(await versionOf('20')).toBe('0.0.0+20')
  })

  test('is in a staged rollout by its ID, and in the targets of its version', async () => {
    const server = await startWith('1.0.42+250')
    const targets = {
      matchExpressions: [{ key: 'device.version', operator: 'VersionIn', values: ['>=1.0.42'] }],
    }
    const { id } = await publish(server, '1.0.43+260', { artifacts, rolloutPct: 50, targets })
    const [inside, outside] = [deviceWithin(id, 0, 0.5), deviceWithin(id, 0.5, 1)]
    const itemOf = (running: string, device: string) =>
      itemFor(server, `?version=${running}&device=${device}`)
    expect((await itemOf('255', inside))?.version).toBe('260')
    expect(await itemOf('255', outside)).toBeNull()
    expect((await itemOf('249', inside))?.version).toBe('250')
  })

  test('learns below which build it must update', async () => {
    const server = await startWith('1.0.41+240', '1.0.42+250', '1.0.43+260')
    await setPolicy(server, { minimumSupportedVersion: '1.0.42' })
    expect((await itemFor(server, '?version=240'))?.critical).toBe('250')
  })

  test('has come from versions without them', async () => {
    const server = await startWith('1.0.42', '1.0.43+260')
    expect(await installed(server, '1.0.42')).toBe('260')
    expect(await installed(server, '1.0.41')).toBe('260')
    expect(await offered(server, '260')).toBeNull()
  })

  test('stays on a build that was rolled back, which Sparkle does not leave', async () => {
    const server = await startWith('1.0.42+250', '1.0.43+260')
    await serve(server, '1.0.43+260', { status: 'rolled_back' })
    expect(await installed(server, '260')).toBeNull()
    expect(await installed(server, '240')).toBe('250')
  })
})

describe('what Sparkle would not take', () => {
  test('is not offered: the next pre-release, and the release after it', async () => {
    const server = await startWith('1.0.0-beta.1', '1.0.0-beta.2')
    expect(await installed(server, '0.9.0')).toBe('1.0.0-beta.2')
    expect(await offered(server, '1.0.0-beta.1')).toBeNull()
    await publish(server, '1.0.0', { artifacts })
    expect(await offered(server, '1.0.0-beta.1')).toBeNull()
    await publish(server, '1.0.1', { artifacts })
    expect(await installed(server, '1.0.0-beta.1')).toBe('1.0.1')
  })

  test('is not offered: a lower build of a higher version', async () => {
    const server = await startWith('1.0.0+100', '1.1.0+300', '1.2.0+200')
    expect(await installed(server, '100')).toBe('200')
    expect(await offered(server, '250')).toBeNull()
    expect(await offered(server, '300')).toBeNull()
  })

  test('is not offered: a version to an app that counts builds', async () => {
    const server = await startWith('1.0.43')
    expect(await offered(server, '259')).toBeNull()
    expect(await offered(server, '0')).toBe('1.0.43')
  })
})

test('a version that is neither a version nor a build number is refused', async () => {
  const server = await startWith('1.0.43+260')
  for (const running of ['', 'x', '1.x', '-1', '1.2.3.4.5', '1.', '1234567890123456', '1e3']) {
    const path = `/sparkle/editor/stable/appcast.xml?version=${encodeURIComponent(running)}`
    const { status, body } = await server.call('GET', path, { key: null })
    expect.soft([running, status], body?.error).toEqual([running, 400])
  }
})
