import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createChannel } from '../../../../src/server/catalog/apps.ts'
import { ACTOR } from '../../../support/builders/actor.ts'
import { codePoint } from '../../../support/builders/code-point.ts'
import { deviceWithin } from '../../../support/builders/devices.ts'
import { artifact } from '../../../support/builders/releases.ts'
import { publish, serve, setPolicy } from '../../../support/servers/calls.ts'
import { startWithApp } from '../../../support/servers/server.ts'
import { itemFor } from '../../../support/updaters/appcast.ts'

const ED = `${'A'.repeat(86)}==`
const MINISIGN = 'dW50cnVzdGVkIGNvbW1lbnQ6IHNpZ25hdHVyZQ=='
const DMG = artifact({
  arch: 'universal',
  url: 'https://a.example/Editor.dmg',
  signature: ED,
  size: 7,
})

describe('the appcast for Sparkle', () => {
  test('has the release of the device, with its signature', async () => {
    const server = await startWithApp()
    const url = 'https://a.example/Editor.dmg?a=1&b=%22'
    const artifacts = [{ ...DMG, url }]
    const { createdAt } = await publish(server, '1.1.0', { artifacts, notes: '**New** <b>&' })
    const item = await itemFor(server)
    expect(item).toEqual({
      ...{ version: '1.1.0', shown: '1.1.0', date: expect.any(String) },
      ...{ notes: '**New** <b>&', format: 'markdown', critical: undefined },
      ...{ url, length: '7', signature: ED },
    })
    expect(item?.date).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000$/)
    expect(Date.parse(item?.date ?? '')).toBe(Math.floor(Date.parse(createdAt) / 1000) * 1000)
  })

  test('has the oldest macOS that the file runs on, also where a kernel is given', async () => {
    const server = await startWithApp()
    for (const [version, floor, shown] of [
      ['1.0.0', undefined, undefined],
      ['1.1.0', '14.4', '14.4.0'],
      ['1.2.0', '23.4.0', '14.4.0'],
      ['1.3.0', '19.6.0', '10.15.0'],
      ['1.4.0', 'Sonoma', undefined],
    ]) {
      const artifacts = [{ ...DMG, minimumSystemVersion: floor }]
      await publish(server, version ?? '', { artifacts })
      expect(await itemFor(server)).toMatchObject({ version, floor: shown })
    }
  })

  test('is empty without an update, and leaves a rolled-back version', async () => {
    const server = await startWithApp()
    expect(await itemFor(server)).toBeNull()
    await publish(server, '1.0.0', { artifacts: [DMG] })
    await publish(server, '1.1.0', { artifacts: [DMG] })
    expect(await itemFor(server, '?version=1.1.0')).toBeNull()
    await serve(server, '1.1.0', { status: 'rolled_back' })
    expect(await itemFor(server, '?version=1.1.0')).toMatchObject({ version: '1.0.0' })
  })

  test('has a signature without the white space that was published around it', async () => {
    const server = await startWithApp()
    await publish(server, '1.0.0', { artifacts: [{ ...DMG, signature: `\t${ED}\r\n` }] })
    expect(await itemFor(server)).toMatchObject({ version: '1.0.0', signature: ED })
  })

  test('skips files with the signature of another updater', async () => {
    const server = await startWithApp()
    await publish(server, '1.0.0', { artifacts: [{ ...DMG, signature: '' }] })
    await publish(server, '1.1.0', { artifacts: [{ ...DMG, signature: MINISIGN }] })
    await publish(server, '1.2.0', { artifacts: [{ ...DMG, url: 'https://a.example/Editor.exe' }] })
    expect(await itemFor(server)).toMatchObject({ version: '1.0.0', signature: null })
  })

  test('has the file for the arch, or one that runs on all', async () => {
    const server = await startWithApp()
    const on = (arch: string) => ({ ...DMG, arch, url: `https://a.example/${arch}.dmg` })
    await publish(server, '1.0.0', { artifacts: [on('arm64'), on('x64')] })
    expect(await itemFor(server, '?arch=arm64')).toMatchObject({
      url: 'https://a.example/arm64.dmg',
    })
    expect(await itemFor(server)).toMatchObject({ url: 'https://a.example/x64.dmg' })
  })

  test('knows the device by the header or the query', async () => {
    const server = await startWithApp()
    const { id } = await publish(server, '1.0.0', { artifacts: [DMG], rolloutPct: 50 })
    const device = deviceWithin(id, 0, 0.5)
    expect(await itemFor(server)).toBeNull()
    expect(await itemFor(server, `?device=${device}`)).not.toBeNull()
    expect(await itemFor(server, '', { 'x-service-device': device })).not.toBeNull()
  })

  test('says what the policy of the channel requires, also after it changed', async () => {
    const server = await startWithApp()
    await publish(server, '1.1.0', { artifacts: [DMG] })
    expect((await itemFor(server))?.critical).toBeUndefined()
    await setPolicy(server, { minimumSupportedVersion: '1.0.5' })
    expect((await itemFor(server))?.critical).toBe('1.0.5')
    await setPolicy(server, { updateMode: 'required' })
    expect((await itemFor(server))?.critical).toBeNull()
  })

  test('is well-formed for all notes, and keeps what XML can contain', async () => {
    const server = await startWithApp()
    let channels = 0
    const extreme = 'a\u0000b\u000bc\ufffe \r\n\t]]> <![CDATA[ &amp; \u{10ffff}'
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: codePoint, maxLength: 100 }), async (given) => {
        const name = `channel-${channels++}`
        await createChannel(server.catalog, ACTOR, { app: 'editor', name })
        const notes = given.toWellFormed()
        await publish(server, '1.0.0', { channel: name, artifacts: [DMG], notes })
        const item = await itemFor(server, '', {}, name)
        // biome-ignore lint/suspicious/noControlCharactersInRegex: what XML cannot contain
        const kept = notes.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
        expect(item?.notes ?? '').toBe(kept)
      }),
      { numRuns: 25, examples: [[extreme]] },
    )
  })
})
