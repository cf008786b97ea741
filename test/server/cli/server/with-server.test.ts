import { expect, test } from 'vitest'
import { DEVICE } from '../../../support/builders/devices.ts'
import { fileFolder } from '../../../support/builders/folders.ts'
import { SHA512_HEX } from '../../../support/builders/releases.ts'
import { eventualValue } from '../../../support/eventually.ts'
import {
  cli,
  done,
  refusal,
  type ServeProcess,
  serveCli,
  shown,
} from '../../../support/processes/cli.ts'
import { RELEASES } from '../../../support/servers/calls.ts'
import { request } from '../../../support/servers/server.ts'

const ARTIFACT = `platform=darwin,arch=aarch64,url=https://e.example/a,sha512=${SHA512_HEX}`

test.concurrent('a running server follows every change of the command line by itself', async () => {
  const folder = fileFolder()
  const server = await serveCli(folder)
  const check = (version: string) => checkFor(server, version)

  await done(folder, 'app', 'create', 'editor', '--init')
  await eventualValue(async () => ((await check('1.0.0')).status === 204 ? true : undefined))
  await done(folder, 'channel', 'create', 'editor', 'beta')
  await eventualValue(async () => {
    const { status } = await request(`${server.address}/feed/editor/beta`, 'GET')
    return status === 200 ? true : undefined
  })
  await done(folder, 'publish', 'editor', 'stable', '1.1.0', '--artifact', ARTIFACT)
  const offer = await eventualValue(async () => (await check('1.0.0')).body)
  expect(offer).toMatchObject({ version: '1.1.0', updateMode: 'optional' })

  await done(folder, 'channel', 'policy', 'editor', 'stable', '--update-mode', 'required')
  await eventualValue(async () => {
    const { updateMode } = (await check('1.0.0')).body
    return updateMode === 'required' ? true : undefined
  })
  await done(folder, 'rollback', 'editor', 'stable', '1.1.0')
  await eventualValue(async () => ((await check('1.0.0')).status === 204 ? true : undefined))

  const key = (await done(folder, 'key', 'mint', 'ci')).trim()
  const list = () => request(server.address + RELEASES, 'GET', { key })
  const { releases } = (await list()).body
  expect(releases).toMatchObject([{ version: '1.1.0', status: 'rolled_back', offered: true }])
  await done(folder, 'key', 'revoke', key.slice(0, 8))
  expect((await list()).status).toBe(401)
  await server.stop()
  const { keys } = await shown(folder, 'key', 'list')
  expect(keys).toMatchObject([{ lastUsedAt: expect.stringMatching(/Z$/) }])
})

test.concurrent('devices and their numbers are shown as the server has them', async () => {
  const folder = fileFolder()
  await done(folder, 'app', 'create', 'editor', '--init')
  await done(folder, 'publish', 'editor', 'stable', '1.1.0', '--artifact', ARTIFACT)
  const key = (await done(folder, 'key', 'mint', 'ci')).trim()
  const server = await serveCli(folder)
  await checkFor(server, '1.0.0', '?l.ring=beta%1B')
  await checkFor(server, '1.1.0', '', null)
  const devices = [1, 2, 3].map((id) => {
    return { deviceId: `d${id}`, version: '1.1.0', platform: 'linux', arch: 'x64' }
  })
  const body = { app: 'editor', devices }
  const reported = await request(`${server.address}/api/v1/fleet/report`, 'POST', { key, body })
  expect(reported.status).toBe(200)

  const { device } = await shown(folder, 'device', 'show', 'editor', DEVICE)
  expect(device).toEqual({
    app: 'editor',
    deviceId: DEVICE,
    channel: 'stable',
    version: '1.0.0',
    platform: 'darwin',
    arch: 'aarch64',
    labels: { ring: 'beta\u001b' },
    firstSeen: expect.stringMatching(/Z$/),
    lastSeen: device.firstSeen,
  })
  // A device chooses its labels: none may steer the terminal of whoever looks at it.
  const inWords = await done(folder, 'device', 'show', 'editor', DEVICE)
  expect(inWords).toContain('ring=beta\\u001b\n')

  const summary = await shown(folder, 'fleet', 'summary', 'editor')
  const seen = (count: number) => {
    return { devices: count, seenToday: count, seenLast7Days: count, seenLast30Days: count }
  }
  expect(summary).toEqual({
    app: 'editor',
    ...seen(4),
    last24Hours: { checkIns: 5, anonymous: 1, offers: 1 },
    channels: [
      {
        channel: 'stable',
        ...seen(4),
        last24Hours: { checkIns: 5, anonymous: 1, offers: 1 },
        versions: [
          { version: '1.1.0', share: 0.75, ...seen(3) },
          { version: '1.0.0', share: 0.25, ...seen(1) },
        ],
      },
    ],
    queryMs: expect.any(Number),
  })
  const table = await done(folder, 'fleet', 'summary', 'editor')
  expect(table).toMatch(/^editor: 4 devices, seen today: 4,/)
  expect(table).toMatch(/stable {3}1\.1\.0 +3 +75\.0% +3 +3 +3\n/)
})

test.concurrent('a device is forgotten with a server on the folder and without one', async () => {
  const folder = fileFolder()
  await done(folder, 'app', 'create', 'editor', '--init')
  const server = await serveCli(folder)
  const known = async (id: string) => (await cli(folder, 'device', 'show', 'editor', id)).code === 0
  for (const id of ['one', 'two', 'three']) {
    await checkFor(server, '1.0.0', '?l.ring=beta', id)
    await checkFor(server, '1.1.0', '', id)
  }
  await eventualValue(async () => ((await known('three')) ? true : undefined))

  const stdout = await done(folder, 'device', 'forget', 'editor', 'one')
  expect(stdout).toBe('Forgot device one of editor.\n')
  expect(await known('one')).toBe(false)
  const again = await cli(folder, 'device', 'forget', 'editor', 'one')
  expect(refusal(again)).toMatch(/^error: unknown device "one" of app "editor"/)
  // The server has forgotten it too: it counts as new.
  await checkFor(server, '1.2.0', '', 'one')
  const { device } = await eventualValue(async () => {
    const shown = await cli(folder, 'device', 'show', 'editor', 'one', '--json')
    return shown.code === 0 ? JSON.parse(shown.stdout) : undefined
  })
  expect(device).toMatchObject({ version: '1.2.0', labels: {}, firstSeen: device.lastSeen })

  // Killed: the rows of the devices are behind the log.
  await server.stop('SIGKILL')
  await done(folder, 'device', 'forget', 'editor', 'two')
  expect(await known('two')).toBe(false)
  const { findings } = await shown(folder, 'doctor')
  expect(findings).toEqual([])
  const restarted = await serveCli(folder)
  const summary = await shown(folder, 'fleet', 'summary', 'editor')
  expect(summary).toMatchObject({ devices: 2 })
  await checkFor(restarted, '1.0.0', '', 'two')
  await eventualValue(async () => ((await known('two')) ? true : undefined))
})

function checkFor(
  { address }: ServeProcess,
  version: string,
  query = '',
  device: string | null = DEVICE,
) {
  const headers: Record<string, string> = device === null ? {} : { 'X-Service-Device': device }
  return request(`${address}/u/editor/stable/darwin/aarch64/${version}${query}`, 'GET', { headers })
}
