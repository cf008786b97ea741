import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { serverConfig } from '../../../src/main/server-process/server-config.ts'
import { ChosenPaths } from '../../../src/main/settings/paths.ts'
import { ServerSettingsService } from '../../../src/main/settings/server-settings.ts'
import { SettingsFile } from '../../../src/main/settings/settings-file.ts'
import { ServerConfig } from '../../../src/server/config.ts'
import { DEFAULT_SETTINGS, FileStorage } from '../../../src/shared/console/settings/settings.ts'
import { takePort } from '../../support/processes/ports.ts'

let folder: string
let restarts: number
let portInUse: number | undefined
let settings: SettingsFile
let chosen: ChosenPaths
let desk: ServerSettingsService

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidegate-settings-'))
  restarts = 0
  portInUse = undefined
  settings = new SettingsFile(join(folder, 'settings.json'))
  chosen = new ChosenPaths()
  desk = new ServerSettingsService({
    file: settings,
    dataFolder: folder,
    chosen,
    portInUse: () => portInUse,
    restart: () => restarts++,
  })
})
afterEach(() => rmSync(folder, { recursive: true }))

const backups = (target: string | null) => ({
  data: {
    keepCheckInDays: 30,
    keepDeviceDays: 100,
    keepSeenOnceDays: 10,
    backups: { ...DEFAULT_SETTINGS.data.backups, folder: target },
  },
})

test('changed sections are saved and restart the server, unchanged ones do not', async () => {
  const address = { host: '0.0.0.0', port: 0 }
  expect(await desk.save({ address })).toEqual({ ok: true, restarts: true })
  expect(await desk.save({ address })).toEqual({ ok: true, restarts: false })
  expect(restarts).toBe(1)
  expect((await desk.view()).settings).toEqual({ ...DEFAULT_SETTINGS, address })
})

test('an address that cannot be listened on is refused, and nothing is saved', async () => {
  const { port, release } = await takePort()
  const taken = { host: '127.0.0.1', port }
  expect(await desk.save({ address: taken })).toEqual({
    ok: false,
    field: 'address.port',
    issue: { code: 'port_in_use', ...taken },
  })
  for (const host of ['203.0.113.9', 'no-such-host.invalid', '1.2.3']) {
    expect(await desk.save({ address: { host, port: 0 } })).toEqual({
      ok: false,
      field: 'address.host',
      issue: { code: 'unknown_address', host },
    })
  }
  expect(restarts).toBe(0)
  expect(settings.server).toEqual(DEFAULT_SETTINGS)
  await release()
})

test('the port that the server itself listens on is not taken', async () => {
  const { port, release } = await takePort()
  portInUse = port
  const saved = await desk.save({ address: { host: '0.0.0.0', port } })
  expect(saved).toEqual({ ok: true, restarts: true })
  const unknown = await desk.save({ address: { host: '203.0.113.9', port } })
  expect(unknown).toMatchObject({ field: 'address.host', issue: { code: 'unknown_address' } })
  await release()
})

test.each([
  ['relative/folder', { code: 'not_absolute' }],
  [
    join(tmpdir(), 'FILE/backups'),
    { code: 'unusable_folder', detail: expect.stringContaining('EEXIST') },
  ],
])('a backup folder %s is refused, and nothing is saved', async (target, issue) => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const saved = await desk.save(backups(target.replace(join(tmpdir(), 'FILE'), file)))
  expect(saved).toEqual({
    ok: false,
    field: 'data.backups.folder',
    issue,
  })
  expect(restarts).toBe(0)
  expect(settings.server).toEqual(DEFAULT_SETTINGS)
})

test.runIf(process.platform === 'linux')('a folder that cannot be made is refused', async () => {
  expect(await desk.save(backups('/proc/foo/backups'))).toMatchObject({
    ok: false,
    field: 'data.backups.folder',
    issue: { code: 'unusable_folder' },
  })
})

test('a folder that is not there yet is made', async () => {
  expect(await desk.save(backups(join(folder, 'a', 'b')))).toMatchObject({ ok: true })
})

test('an unreadable certificate is rejected with any section', async () => {
  const tls = { certFile: join(folder, 'gone.pem'), keyFile: join(folder, 'gone.key') }
  settings.setServer({ security: { ...DEFAULT_SETTINGS.security, tls } })
  expect(await desk.save({ address: { host: '127.0.0.1', port: 0 } })).toMatchObject({
    ok: false,
    field: 'security.tls.certFile',
    issue: { code: 'unreadable' },
  })
  expect(restarts).toBe(0)
})

test('TLS files that cannot be used are refused by their field', async () => {
  const tls = { certFile: join(folder, 'no.pem'), keyFile: join(folder, 'no.key') }
  const saved = await desk.save({ security: { ...DEFAULT_SETTINGS.security, tls } })
  expect(saved).toMatchObject({ ok: false, field: 'security.tls.certFile' })
  expect(() => readFileSync(join(folder, 'settings.json'))).toThrow()
})

describe('a path that leads off a Windows computer', () => {
  const { platform } = process
  beforeEach(() => Object.defineProperty(process, 'platform', { value: 'win32' }))
  afterEach(() => Object.defineProperty(process, 'platform', { value: platform }))

  test('is not looked at unless it was chosen or saved', async () => {
    const unc = '//server/share/key.pem'
    const files = { certFile: join('C:\\', 'cert.pem'), keyFile: unc }
    const elsewhere = { code: 'remote' }
    expect(await desk.checkTls(files)).toEqual({ ok: false, field: 'keyFile', issue: elsewhere })
    const security = { ...DEFAULT_SETTINGS.security, tls: files }
    expect(await desk.save({ security })).toMatchObject({ field: 'security.tls.keyFile' })
    expect(await desk.save(backups('\\\\server\\backups'))).toMatchObject({
      field: 'data.backups.folder',
      issue: elsewhere,
    })
    chosen.add('key', unc)
    const read = {
      ok: false,
      field: 'certFile',
      issue: { code: 'unreadable', detail: expect.stringContaining('ENOENT') },
    }
    expect(await desk.checkTls(files)).toEqual(read)
    settings.setServer({ security })
    expect(await desk.checkTls(files)).toEqual(read)
  })
})

test('the server accepts all valid settings', () => {
  const tls = { certFile: '/cert.pem', keyFile: '/key.pem' }
  const security = { ...DEFAULT_SETTINGS.security, tls, trustProxy: ['loopback'] }
  const { trustProxy, ...config } = serverConfig('/data', { ...DEFAULT_SETTINGS, security })
  const parsed = ServerConfig.parse({ ...config, trustProxy: [...(trustProxy ?? [])] })
  expect(parsed).toMatchObject({ port: 8440, tls, trustProxy: ['loopback'], keepCheckInDays: 90 })
  expect(parsed.backups).toEqual({ everyHours: 24, keep: 7 })
})

describe('stored files', () => {
  const publicUrl = 'https://updates.studio.example'
  const files = { ...DEFAULT_SETTINGS.files, isOn: true, publicUrl }

  test('are in a folder of the data folder unless another one is named', async () => {
    expect(await desk.save({ files })).toEqual({ ok: true, restarts: true })
    const { hosting } = ServerConfig.parse(serverConfig(folder, settings.server))
    expect(hosting).toMatchObject({ folder: join(folder, 'artifacts'), publicUrl, quotaGiB: 0 })
    await desk.save({ files: { ...files, folder: join(folder, 'other') } })
    const other = ServerConfig.parse(serverConfig(folder, settings.server)).hosting
    expect(other?.folder).toBe(join(folder, 'other'))
    await desk.save({ files: { ...files, isOn: false } })
    expect(serverConfig(folder, settings.server)).not.toHaveProperty('hosting')
    expect(new SettingsFile(join(folder, 'settings.json')).server.files.publicUrl).toBe(publicUrl)
  })

  test('a folder that cannot be used is refused while storing is on', async () => {
    const relative = { ...files, folder: 'relative' }
    expect(await desk.save({ files: relative })).toMatchObject({
      ...{ ok: false, field: 'files.folder', issue: { code: 'not_absolute' } },
    })
    expect(await desk.save({ files: { ...relative, isOn: false } })).toMatchObject({ ok: true })
  })

  test.each(['', 'ftp://studio.example', 'https://studio.example/?a=b'])(
    'the public address %o is refused while storing is on',
    (address) => {
      const typed = { ...files, publicUrl: address }
      expect(FileStorage.safeParse(typed).error?.issues[0]?.path).toEqual(['publicUrl'])
      expect(FileStorage.safeParse({ ...typed, isOn: false }).success).toBe(true)
    },
  )
})
