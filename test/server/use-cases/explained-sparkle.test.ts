import { describe, expect, test } from 'vitest'
import { PRINCIPAL } from '../../support/builders/actor.ts'
import { DEVICE } from '../../support/builders/devices.ts'
import { artifact } from '../../support/builders/releases.ts'
import { publish, serve } from '../../support/servers/calls.ts'
import { startWithApp, type TestServer } from '../../support/servers/server.ts'
import { itemFor } from '../../support/updaters/appcast.ts'

const dmg = (members = {}) => [
  artifact({ arch: 'universal', url: 'https://a.example/Editor.dmg', ...members }),
]

async function startWith(...versions: string[]): Promise<TestServer> {
  const server = await startWithApp()
  for (const version of versions) await publish(server, version, { artifacts: dmg() })
  return server
}

/** What a device is explained that Sparkle says runs that version, on macOS. */
async function explained(server: TestServer, version: string, members = {}) {
  const assumed = { version, platform: 'darwin', arch: 'aarch64', ...members }
  const query = { app: 'editor', channel: 'stable', deviceId: DEVICE, client: 'sparkle', assumed }
  const result = await server.updates.explainDevice(PRINCIPAL, { ...query, client: 'sparkle' })
  if ('lacks' in result) throw new Error(`lacks ${result.lacks}`)
  return result.explained
}

/** What the feed has for the same device, as the name of its release. */
async function served(server: TestServer, version: string, query = '') {
  const running = `version=${encodeURIComponent(version)}&device=${DEVICE}&arch=arm64`
  return (await itemFor(server, `?${running}${query}`))?.shown ?? null
}

const shown = (version: string | undefined) => version?.replace(/\+[\d.]+$/, '') ?? null

describe('the explanation for Sparkle says what its feed has', () => {
  test.each<[string[], string[]]>([
    [
      ['1.0.0-beta.1', '1.0.0-beta.2', '1.0.0'],
      ['0.9.0', '1.0.0-beta.1', '1.0.0-beta.3', '1.0.0'],
    ],
    [
      ['1.0.0+100', '1.1.0+300', '1.2.0+200'],
      ['1', '99', '100', '150', '200', '250', '300', '1000', '1.1.0', '0.9.0'],
    ],
    [['1.0.43'], ['259', '0', '1.0.42', '1.0.43']],
    [
      ['1.0.0+4000.1', '1.1.0+4000.2.1'],
      ['04000.1', '4000.2', '4000.2.1', '5000.0.0', '1.0.9'],
    ],
  ])('of %j, in apps with %j', async (versions, running) => {
    const server = await startWith(...versions)
    for (const version of running) {
      const { update } = await explained(server, version)
      expect.soft(shown(update?.version), version).toBe(await served(server, version))
    }
  })

  test('of a release that was rolled back, and of one that is for other updaters', async () => {
    const server = await startWith('1.0.0', '1.1.0')
    await publish(server, '1.2.0', { artifacts: dmg({ url: 'https://a.example/Editor.AppImage' }) })
    await serve(server, '1.1.0', { status: 'rolled_back' })
    for (const version of ['0.9.0', '1.0.0', '1.1.0']) {
      const { update } = await explained(server, version)
      expect.soft(update?.version ?? null, version).toBe(await served(server, version))
    }
    const { candidates } = await explained(server, '0.9.0')
    expect(candidates).toMatchObject([
      { version: '1.2.0', outcome: 'no_artifact', client: 'sparkle' },
      { version: '1.0.0', outcome: 'offered' },
    ])
  })

  test('of a floor, for the system that is given', async () => {
    const server = await startWith('1.0.0')
    await publish(server, '1.1.0', { artifacts: dmg({ minimumSystemVersion: '14.0' }) })
    for (const system of ['13.6', '14.0', '23.0.0', undefined]) {
      const { update } = await explained(server, '0.9.0', { system })
      const query = system === undefined ? '' : `&os=${system}`
      expect.soft(update?.version, system).toBe(await served(server, '0.9.0', query))
    }
    const { candidates, reason } = await explained(server, '1.0.0', { system: '13.6' })
    expect(reason).toBe('system_too_old')
    expect(candidates).toMatchObject([{ floor: '14.0', system: '13.6' }])
  })
})

test('an update that Sparkle would not install is named, with what it compares', async () => {
  const server = await startWith('1.0.0+100', '1.1.0+300', '1.2.0+200')
  const { reason, candidates } = await explained(server, '300')
  expect(reason).toBe('up_to_date')
  expect(candidates).toEqual([
    { version: '1.2.0+200', outcome: 'not_taken', compared: '200', running: '300' },
  ])
})

test('a build number is no version for other updaters', async () => {
  const server = await startWith('1.0.0+100')
  const query = { app: 'editor', channel: 'stable', deviceId: DEVICE, assumed: { version: '99' } }
  await expect(server.updates.explainDevice(PRINCIPAL, query)).rejects.toMatchObject({
    facts: { code: 'invalid_input', path: ['version'] },
  })
})
