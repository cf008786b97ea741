import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createChannel } from '../../../../src/server/catalog/apps.ts'
import { ACTOR } from '../../../support/builders/actor.ts'
import { codePoint } from '../../../support/builders/code-point.ts'
import { bucketOf } from '../../../support/builders/devices.ts'
import { freePort } from '../../../support/processes/ports.ts'
import { publish, serve } from '../../../support/servers/calls.ts'
import { startHosting, uploadFile } from '../../../support/servers/hosting.ts'
import { bucketPlace, startS3, stubCredentials } from '../../../support/servers/s3-server.ts'
import { startWithApp, type TestServer } from '../../../support/servers/server.ts'
import {
  downloaded,
  startElectronUpdater,
  type UpdaterKind,
  type UpdaterOptions,
} from '../../../support/updaters/electron-updater.ts'
import { type FileServer, startFileServer } from '../../../support/updaters/file-server.ts'

const FILES = {
  nsis: { platform: 'windows', arch: 'x86_64', name: 'Editor-1.1.0.exe' },
  mac: { platform: 'darwin', arch: 'universal', name: 'Editor-1.1.0-mac.zip' },
  appimage: { platform: 'linux', arch: 'x86_64', name: 'Editor-1.1.0.AppImage' },
} as const satisfies Readonly<Record<UpdaterKind, object>>

const feedOf = ({ address }: TestServer, query = '') => `${address}/electron/editor/stable${query}`

/** Publishes a version with a file for one updater. */
async function release(
  server: TestServer,
  files: FileServer,
  version: string,
  kind: UpdaterKind,
  members: Readonly<Record<string, unknown>> = {},
) {
  const { name, ...devices } = FILES[kind]
  const { requests, sha1: _sha1, ...file } = files.add(name.replace('1.1.0', version), version)
  const artifacts = [{ ...devices, ...file }]
  return { ...(await publish(server, version, { artifacts, ...members })), requests }
}

async function startWithUpdate(kind: UpdaterKind) {
  const server = await startWithApp()
  const files = await startFileServer()
  await release(server, files, '1.1.0', kind, { notes: '## New\n\n- *Faster*: "yes"' })
  const start = (options: Partial<UpdaterOptions> = {}) => {
    const updater = startElectronUpdater({
      ...{ kind, feed: feedOf(server), version: '1.0.0' },
      ...options,
    })
    updater.autoDownload = false
    return updater
  }
  return { server, files, start }
}

/** Stores a file in the bucket and publishes it; `content` is what is in the bucket afterwards. */
async function releaseFromBucket(kind: UpdaterKind, content = '1.1.0') {
  stubCredentials()
  const s3 = await startS3()
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const server = await startHosting({ publicUrl, bucket: bucketPlace(s3) }, { config: { port } })
  const { name, ...devices } = FILES[kind]
  const { url, sha512, size } = await uploadFile(server, Buffer.from('1.1.0'), name)
  await publish(server, '1.1.0', { artifacts: [{ ...devices, url, sha512, size }] })
  writeFileSync(s3.fileOf(s3.keys()[0] ?? ''), content)
  const updater = startElectronUpdater({ kind, feed: feedOf(server), version: '1.0.0' })
  updater.autoDownload = false
  const requests = () => s3.requests.filter(({ operation }) => operation === 'GET object')
  return { updater, requests }
}

describe.each(['nsis', 'mac', 'appimage'] as const)('electron-updater (%s)', (kind) => {
  test('follows the address of a stored file to its bucket, and verifies what is there', async () => {
    const { updater, requests } = await releaseFromBucket(kind)
    await updater.checkForUpdates()
    const file = await downloaded(updater)
    expect([basename(file), readFileSync(file, 'utf8')]).toEqual([FILES[kind].name, '1.1.0'])
    expect(requests()).toHaveLength(1)
  })

  test('finds an update, downloads and verifies it', async () => {
    const { start } = await startWithUpdate(kind)
    const updater = start()
    const found = await updater.checkForUpdates()
    expect(found).toMatchObject({
      isUpdateAvailable: true,
      updateInfo: { version: '1.1.0', releaseNotes: '## New\n\n- *Faster*: "yes"' },
    })
    expect(new Date(found?.updateInfo.releaseDate ?? '').getTime()).toBeGreaterThan(0)
    const file = await downloaded(updater)
    expect(basename(file)).toBe(FILES[kind].name)
    expect(readFileSync(file, 'utf8')).toBe('1.1.0')
  })

  test('finds nothing in the version that it runs', async () => {
    const { start } = await startWithUpdate(kind)
    const updater = start({ version: '1.1.0' })
    expect(await updater.checkForUpdates()).toMatchObject({ isUpdateAvailable: false })
  })

  test('refuses a damaged file', async () => {
    const { server, files, start } = await startWithUpdate(kind)
    const { name, ...devices } = FILES[kind]
    const { url, sha512 } = files.add(name.replace('1.1.0', '1.2.0'), 'damaged', 'as published')
    await publish(server, '1.2.0', { artifacts: [{ ...devices, url, sha512 }] })
    const updater = start()
    expect(await updater.checkForUpdates()).toMatchObject({ updateInfo: { version: '1.2.0' } })
    await expect(downloaded(updater)).rejects.toThrow('sha512 checksum mismatch')
  })
})

describe('electron-updater', () => {
  test('takes the combined installer where there is none for its own architecture', async () => {
    const server = await startWithApp()
    const files = await startFileServer()
    const own = process.arch === 'arm64' ? 'arm64' : 'x64'
    const [other] = ['arm64', 'x64'].filter((arch) => arch !== own)
    const exe = (arch: string | undefined, version: string, name: string) => {
      const { url, sha512 } = files.add(name, `${arch} ${version}`)
      return { platform: 'windows', arch, kind: 'nsis', url, sha512 }
    }
    const installed = async (version: string, ...arches: (string | undefined)[]) => {
      const artifacts = arches.map((arch) => {
        const suffix = arch === 'any' ? '' : `-${arch}`
        return exe(arch, version, `Editor-${version}${suffix}.exe`)
      })
      await publish(server, version, { artifacts })
      const updater = startElectronUpdater({ kind: 'nsis', feed: feedOf(server), version: '1.0.0' })
      updater.autoDownload = false
      await updater.checkForUpdates()
      return readFileSync(await downloaded(updater), 'utf8')
    }
    expect(await installed('1.1.0', 'any', other)).toBe('any 1.1.0')
    expect(await installed('1.2.0', 'any', other, own)).toBe(`${own} 1.2.0`)
  })

  test('honors the oldest system of a release, and starts its installer with elevated rights', async () => {
    const server = await startWithApp()
    const files = await startFileServer()
    const start = () => {
      const updater = startElectronUpdater({ kind: 'nsis', feed: feedOf(server), version: '1.0.0' })
      updater.autoDownload = false
      return updater
    }
    const { name, ...devices } = FILES.nsis
    const { url, sha512, size } = files.add(name, '1.1.0')
    const file = { ...devices, url, sha512, size, isAdminRightsRequired: true }
    const supported = { ...file, minimumSystemVersion: '0.0.1' }
    await publish(server, '1.1.0', { artifacts: [supported] })
    const updater = start()
    expect(await updater.checkForUpdates()).toMatchObject({ isUpdateAvailable: true })
    const event = new Promise((resolve) => updater.once('update-downloaded', resolve))
    await downloaded(updater)
    expect(await event).toMatchObject({ files: [{ isAdminRightsRequired: true }] })
    const later = { ...file, minimumSystemVersion: '999.0.0' }
    await publish(server, '1.2.0', { artifacts: [later] })
    expect(await start().checkForUpdates()).toMatchObject({
      ...{ isUpdateAvailable: false, updateInfo: { version: '1.2.0' } },
    })
  })

  test('is offered a staged release exactly if its ID is in the cohort', async () => {
    const server = await startWithApp()
    const files = await startFileServer()
    await release(server, files, '1.1.0', 'nsis')
    const { id } = await release(server, files, '1.2.0', 'nsis', { rolloutPct: 50 })
    const stagingIds = Array.from({ length: 24 }, () => randomUUID())
    const offered = await Promise.all(
      stagingIds.map(async (stagingId) => {
        const feed = feedOf(server)
        const updater = startElectronUpdater({ kind: 'nsis', feed, version: '1.1.0', stagingId })
        updater.autoDownload = false
        return (await updater.checkForUpdates())?.isUpdateAvailable
      }),
    )
    expect(offered).toEqual(stagingIds.map((stagingId) => bucketOf(id, stagingId) < 0.5))
    expect(new Set(offered).size).toBe(2)
  })

  test('leaves a rolled-back release if downgrades are allowed', async () => {
    const server = await startWithApp()
    const files = await startFileServer()
    await release(server, files, '1.0.0', 'nsis')
    await release(server, files, '1.1.0', 'nsis')
    await serve(server, '1.1.0', { status: 'rolled_back' })
    for (const feed of [feedOf(server), feedOf(server, '?version=1.1.0')]) {
      const updater = startElectronUpdater({ kind: 'nsis', feed, version: '1.1.0' })
      updater.autoDownload = false
      expect(await updater.checkForUpdates()).toMatchObject({ isUpdateAvailable: false })
      updater.allowDowngrade = true
      expect(await updater.checkForUpdates()).toMatchObject({ isUpdateAvailable: true })
      expect(readFileSync(await downloaded(updater), 'utf8')).toBe('1.0.0')
    }
  })

  test('keeps a paused release if it names its version, also where downgrades are allowed', async () => {
    const server = await startWithApp()
    const files = await startFileServer()
    await release(server, files, '1.0.0', 'nsis')
    await release(server, files, '1.1.0', 'nsis')
    await serve(server, '1.1.0', { status: 'paused' })
    const feed = feedOf(server, '?version=1.1.0')
    const updater = startElectronUpdater({ kind: 'nsis', feed, version: '1.1.0' })
    updater.allowDowngrade = true
    expect(await updater.checkForUpdates()).toMatchObject({
      isUpdateAvailable: false,
      updateInfo: { version: '1.1.0' },
    })
  })

  test('reads the feed under the name of the channel', async () => {
    const { start } = await startWithUpdate('mac')
    expect(await start({ channel: 'stable' }).checkForUpdates()).toMatchObject({
      updateInfo: { version: '1.1.0' },
    })
    await expect(start({ channel: 'beta' }).checkForUpdates()).rejects.toThrow(
      'Cannot find channel "beta-mac.yml"',
    )
  })

  test('refuses a file that is not what was published, in a bucket, too', async () => {
    const { updater, requests } = await releaseFromBucket('nsis', '6.6.6')
    await updater.checkForUpdates()
    await expect(downloaded(updater)).rejects.toThrow('sha512 checksum mismatch')
    expect(requests()).toHaveLength(1)
  })

  test('downloads the file for its arch, however it is named', async () => {
    const server = await startWithApp()
    const files = await startFileServer()
    const windows = ['any', 'aarch64', 'i686', 'x86_64'].map((arch) => {
      const { url, sha512 } = files.add(`Editor_${arch}.exe`, arch)
      return { platform: 'windows', arch, url, sha512 }
    })
    const mac = ['aarch64', 'x86_64'].map((arch) => {
      const { url, sha512 } = files.add(`Editor_${arch}.zip`, arch)
      return { platform: 'darwin', arch, url, sha512 }
    })
    await publish(server, '1.1.0', { artifacts: [...windows, ...mac] })
    for (const kind of ['nsis', 'mac'] as const) {
      const updater = startElectronUpdater({ kind, feed: feedOf(server), version: '1.0.0' })
      updater.autoDownload = false
      await updater.checkForUpdates()
      const own = process.arch === 'arm64' ? 'aarch64' : 'x86_64'
      expect(readFileSync(await downloaded(updater), 'utf8')).toBe(own)
    }
  })

  test('does not install a file for Apple silicon on Intel, however it is named', async () => {
    const server = await startWithApp()
    const files = await startFileServer()
    const { url, sha512 } = files.add('Editor_aarch64.zip', 'an app')
    const artifacts = [{ platform: 'darwin', arch: 'aarch64', url, sha512 }]
    await publish(server, '1.1.0', { artifacts })
    const updater = startElectronUpdater({ kind: 'mac', feed: feedOf(server), version: '1.0.0' })
    updater.autoDownload = false
    await updater.checkForUpdates()
    if (process.arch === 'arm64')
      expect(basename(await downloaded(updater))).toBe('Editor_aarch64.zip')
    else await expect(downloaded(updater)).rejects.toThrow('No files provided')
  })

  test('sends labels in the query of the feed, which it also sends to the file server', async () => {
    const server = await startWithApp()
    const files = await startFileServer()
    const targets = { matchLabels: { ring: 'beta' } }
    const { requests } = await release(server, files, '1.1.0', 'nsis', { targets })
    const feed = feedOf(server, '?l.ring=beta&version=1.0.0')
    const updater = startElectronUpdater({ kind: 'nsis', feed, version: '1.0.0' })
    updater.autoDownload = false
    expect(await updater.checkForUpdates()).toMatchObject({ isUpdateAvailable: true })
    await downloaded(updater)
    expect(requests.length).toBe(1)
  })

  test('reports why labels do not go with file addresses that have a query', async () => {
    const server = await startWithApp()
    const files = await startFileServer()
    const { url, sha512 } = files.add('Editor.exe', 'an installer')
    const file = { platform: 'windows', arch: 'x64', url: `${url}?signature=abc`, sha512 }
    await publish(server, '1.1.0', { artifacts: [file] })
    const start = (query: string) =>
      startElectronUpdater({ kind: 'nsis', feed: feedOf(server, query), version: '1.0.0' })
    await expect(start('?l.ring=beta').checkForUpdates()).rejects.toThrow(
      'electron-updater replaces the query of file addresses',
    )
    const found = await start('').checkForUpdates()
    expect(readFileSync((await found?.downloadPromise)?.[0] ?? '', 'utf8')).toBe('an installer')
  })

  test('reads the notes of every release as they were published', async () => {
    const server = await startWithApp()
    let channels = 0
    const extreme =
      '\u0000\u0007\u007f\u0085\u009f\u2028\ufeff\ufffe\uffff\r\n# : - "\'\\ \u{10ffff}'
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: codePoint, maxLength: 200 }), async (text) => {
        const notes = text.toWellFormed()
        const name = `channel-${channels++}`
        await createChannel(server.catalog, ACTOR, { app: 'editor', name })
        const file = { platform: 'windows', arch: 'any', url: 'https://a.example/E.exe' }
        const artifacts = [{ ...file, sha512: 'ab'.repeat(64) }]
        await publish(server, '1.10.0', { channel: name, notes, artifacts })
        const feed = `${server.address}/electron/editor/${name}`
        const updater = startElectronUpdater({ kind: 'nsis', feed, version: '1.0.0' })
        updater.autoDownload = false
        const found = await updater.checkForUpdates()
        expect(found?.updateInfo).toMatchObject({
          version: '1.10.0',
          ...(notes && { releaseNotes: notes }),
        })
      }),
      { numRuns: 25, examples: [[extreme]] },
    )
  })
})
