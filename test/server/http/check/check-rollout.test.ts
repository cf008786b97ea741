import { describe, expect, test } from 'vitest'
import { bucketOf, deviceWithin } from '../../../support/builders/devices.ts'
import { artifactFor } from '../../../support/builders/releases.ts'
import { check, publish, serve, setPolicy, startWith } from '../../../support/servers/calls.ts'
import { offeredTo } from '../../../support/servers/fleet-calls.ts'
import { startWithApp } from '../../../support/servers/server.ts'

describe('a rollout', () => {
  test('holds each device from its own percentage on, and never lets it go', async () => {
    const server = await startWith('1.1.0')
    const release = await publish(server, '1.2.0', { rolloutPct: 0 })
    const devices = Array.from({ length: 40 }, (_, at) => `device-${at}`)
    for (const rolloutPct of [0, 1, 13, 50, 87, 99, 100]) {
      await serve(server, '1.2.0', { rolloutPct })
      const offered = await Promise.all(
        devices.map((device) => offeredTo(server, '1.0.0', { device })),
      )
      // Who is outside falls through to the release below.
      const expected = devices.map((device) =>
        bucketOf(release.id, device) < rolloutPct / 100 ? '1.2.0' : '1.1.0',
      )
      expect(offered, `at ${rolloutPct}%`).toEqual(expected)
    }
  })

  test('a device without an id is in at 100 only', async () => {
    const server = await startWithApp()
    await publish(server, '1.2.0', { rolloutPct: 99 })
    expect(await offeredTo(server, '1.0.0')).toBeNull()
    await serve(server, '1.2.0', { rolloutPct: 100 })
    expect(await offeredTo(server, '1.0.0')).toBe('1.2.0')
  })

  test('places a device again in every release', async () => {
    const server = await startWithApp()
    const lower = await publish(server, '1.1.0', { rolloutPct: 50 })
    const upper = await publish(server, '1.2.0', { rolloutPct: 50 })
    const seen = new Set<string | null>()
    for (let number = 0; number < 40; number++) {
      const device = `device-${number}`
      const [inUpper, inLower] = [upper, lower].map(({ id }) => bucketOf(id, device) < 0.5)
      const expected = inUpper ? '1.2.0' : inLower ? '1.1.0' : null
      expect(await offeredTo(server, '1.0.0', { device })).toBe(expected)
      seen.add(expected)
    }
    expect(seen).toEqual(new Set(['1.2.0', '1.1.0', null]))
  })
})

describe('a release is skipped', () => {
  test('while it is paused, and offered again after it', async () => {
    const server = await startWith('1.1.0', '1.2.0')
    await serve(server, '1.2.0', { status: 'paused' })
    expect(await offeredTo(server, '1.0.0')).toBe('1.1.0')
    expect(await offeredTo(server, '1.1.0')).toBeNull()
    await serve(server, '1.2.0', { status: 'published' })
    expect(await offeredTo(server, '1.0.0')).toBe('1.2.0')
  })

  test('without an artifact for the platform and arch', async () => {
    const server = await startWith('1.1.0')
    await publish(server, '1.2.0', { artifacts: [artifactFor('linux', 'x86_64')] })
    await publish(server, '1.3.0', { artifacts: [] })
    expect(await offeredTo(server, '1.0.0')).toBe('1.1.0')
    expect(await offeredTo(server, '1.0.0', { platform: 'linux', arch: 'x86_64' })).toBe('1.2.0')
    expect(await offeredTo(server, '1.0.0', { platform: 'linux', arch: 'aarch64' })).toBeNull()
  })

  test('after it was rolled back, for good', async () => {
    const server = await startWith('1.1.0', '1.2.0')
    await serve(server, '1.2.0', { status: 'rolled_back' })
    expect(await offeredTo(server, '1.0.0')).toBe('1.1.0')
    expect(await offeredTo(server, '1.1.0')).toBeNull()
  })
})

describe('a device on a rolled-back release', () => {
  test('is sent to the newest published release below it', async () => {
    const server = await startWith('1.0.0', '1.1.0', '1.2.0', '2.0.0', '3.0.0')
    await serve(server, '1.2.0', { status: 'paused' })
    await serve(server, '2.0.0', { status: 'rolled_back' })
    const { status, body } = await check(server, '2.0.0')
    expect(status).toBe(200)
    expect(body).toMatchObject({ version: '1.1.0', allowDowngrade: true })
  })

  test('gets nothing if no release below it is published', async () => {
    const server = await startWith('1.0.0', '2.0.0')
    await serve(server, '1.0.0', { status: 'rolled_back' })
    expect(await offeredTo(server, '1.0.0')).toBeNull()
  })

  test('is known by its exact version, build metadata included', async () => {
    const server = await startWith('1.0.0', '2.0.0+2')
    await serve(server, '2.0.0+2', { status: 'rolled_back' })
    expect(await offeredTo(server, '2.0.0+2')).toBe('1.0.0')
    expect(await offeredTo(server, '2.0.0+3')).toBeNull()
    expect(await offeredTo(server, '2.0.0')).toBeNull()
  })

  test('rolls forward first if the policy says so, and downgrades otherwise', async () => {
    const server = await startWith('1.0.0', '2.0.0', '3.0.0')
    await setPolicy(server, { rollback: 'roll-forward' })
    await serve(server, '2.0.0', { status: 'rolled_back' })
    const forward = await check(server, '2.0.0')
    expect(forward.body).toMatchObject({ version: '3.0.0', allowDowngrade: false })
    await serve(server, '3.0.0', { status: 'paused' })
    const down = await check(server, '2.0.0')
    expect(down.body).toMatchObject({ version: '1.0.0', allowDowngrade: true })
  })

  test('is placed in the rollout of the release below like any other device', async () => {
    const server = await startWithApp()
    const below = await publish(server, '1.0.0', { rolloutPct: 50 })
    await publish(server, '2.0.0')
    await serve(server, '2.0.0', { status: 'rolled_back' })
    const [inside, outside] = [deviceWithin(below.id, 0, 0.5), deviceWithin(below.id, 0.5, 1)]
    expect(await offeredTo(server, '2.0.0', { device: inside })).toBe('1.0.0')
    expect(await offeredTo(server, '2.0.0', { device: outside })).toBeNull()
  })
})
