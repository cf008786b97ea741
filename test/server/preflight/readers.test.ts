import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PreflightCode } from '../../../src/shared/releases/preflight-policy.ts'
import { item } from '../../support/builders/devices.ts'
import { publish, RELEASES, serve, setPolicy } from '../../support/servers/calls.ts'
import { REPORT } from '../../support/servers/fleet-calls.ts'
import { startWithApp } from '../../support/servers/server.ts'
import { needs } from '../../support/tools.ts'
import { downloaded, startElectronUpdater } from '../../support/updaters/electron-updater.ts'
import { startFileServer } from '../../support/updaters/file-server.ts'
import { changed, electronFeed, type Feed, type Members, velopackFeed } from './feeds.ts'

/** A feed that preflight names, and what the client makes of it in an app of a version, by default 1.0.0. */
type Case = readonly [code: string, feed: Members, outcome: RegExp, running?: string]

async function compare({ good, read, install }: Feed, cases: readonly Case[]): Promise<void> {
  expect([read(good), await install(good)]).toEqual([[], '1.1.0'])
  for (const [code, feed, outcome, running] of cases) {
    const named = read(feed, running).map((fault) => fault.code)
    expect(named, JSON.stringify(feed)).toContain(code)
    expect(await install(feed, running), code).toMatch(outcome)
  }
}

describe.each(['nsis', 'mac', 'appimage'] as const)('electron-updater (%s)', (kind) => {
  test('installs what preflight passes, and refuses or misreads what it names', async () => {
    const updater = await electronFeed(kind)
    const { good } = updater
    const [{ url, sha512 } = { url: '', sha512: '' }] = good.files as {
      url: string
      sha512: string
    }[]
    const arm = { ...good, files: [{ url: `${url}#arm64`, sha512 }] }
    await compare(updater, [
      ['version_not_above', { ...good, version: '1.1.0+2' }, /^no update$/, '1.1.0+1'],
      ['version_not_above', good, /^no update$/, '1.2.0'],
      [
        'version_unreadable',
        { ...good, version: '1.1' },
        /ERR_UPDATER_INVALID_VERSION|not have a valid semver/,
      ],
      ['version_unreadable', { ...good, version: 1.1 }, /Error/],
      ['version_mismatch', { ...good, version: '1.3.0' }, /^1\.3\.0$/],
      ['checksum_missing', { ...good, files: [{ url }] }, /checksum/],
      ['feed_unreadable', changed(changed(good, ['files'], []), ['path'], undefined), /No files/],
      ['staged_by_document', { ...good, stagingPercentage: 0 }, /^no update$/],
      ['floor_ignored', { ...good, minimumSystemVersion: '14' }, /^1\.1\.0$/],
      ['wrong_file', changed(good, ['files', 0, 'sha512'], 'AAAA'), /sha512 checksum mismatch/],
      ...(kind === 'mac' ? ([['no_file', arm, /No files provided/]] as const) : []),
    ])
  })
})

test('Velopack installs what preflight passes, and no other', needs('velopack'), async () => {
  const updater = await velopackFeed()
  const unread = /Error|^no update$/
  const of = (name: string, value: unknown) => changed(updater.good, ['Assets', 0, name], value)
  await compare(updater, [
    ['version_not_above', updater.good, /^no update$/, '1.1.0'],
    ['version_not_above', updater.good, /^no update$/, '1.2.0'],
    ['version_mismatch', of('Version', '1.3.0'), /^1\.3\.0$/],
    ['feed_unreadable', of('Version', '1.1'), unread],
    ['feed_unreadable', of('PackageId', 1), unread],
    ['feed_unreadable', of('Type', 'Delta'), unread],
    ['feed_unreadable', changed(updater.good, ['Assets'], null), unread],
  ])
})

/** A server with 1.0.0, which a device with electron-updater runs. */
async function startEditor(labels: Record<string, string> = {}) {
  const server = await startWithApp()
  const files = await startFileServer()
  const release = async (version: string, members: Members = {}, ofFile: Members = {}) => {
    const { url, sha512, size } = files.add(`Editor-${version}.exe`, version)
    const file = { platform: 'windows', arch: 'x64', url, sha512, size }
    await publish(server, version, { artifacts: [{ ...file, ...ofFile }], ...members })
  }
  await release('1.0.0')
  const devices = [item('one', { platform: 'windows', arch: 'x64', version: '1.0.0', labels })]
  await server.call('POST', REPORT, { body: { app: 'editor', devices } })
  return {
    ...{ server, release },
    async codes(version: string): Promise<string[]> {
      const { body } = await server.call('GET', `${RELEASES}/editor/stable/${version}/preflight`)
      return body.preflight.findings.map(({ code }: { code: string }) => code)
    },
    /** What an app of that version downloads. */
    async install(version: string, about: Record<string, string> = {}): Promise<string> {
      const query = new URLSearchParams({ version, arch: 'x64', ...about })
      const feed = `${server.address}/electron/editor/stable?${query}`
      const updater = startElectronUpdater({ kind: 'nsis', feed, version })
      Object.assign(updater, { autoDownload: false, allowDowngrade: true })
      const found = await updater.checkForUpdates()
      if (found?.isUpdateAvailable !== true) return 'no update'
      return readFileSync(await downloaded(updater), 'utf8')
    },
  }
}

test('electron-updater ends at a stone that is missing', async () => {
  const stones = await startEditor()
  const key = { key: 'device.version', operator: 'VersionIn', values: ['>=1.5.0'] }
  await stones.release('1.5.0')
  await stones.release('2.0.0', { targets: { matchExpressions: [key] } })
  expect(await stones.codes('2.0.0')).toEqual([])
  expect(await stones.install('1.0.0')).toBe('1.5.0')
  expect(await stones.install('1.5.0')).toBe('2.0.0')
  await serve(stones.server, '1.5.0', { status: 'paused' })
  expect(await stones.codes('2.0.0')).toContain('dead_end')
  expect(await stones.install('1.0.0')).toBe('no update')
})

test('electron-updater finds nothing above a release below the minimum', async () => {
  const minimum = await startEditor()
  await minimum.release('1.1.0')
  await setPolicy(minimum.server, { minimumSupportedVersion: '1.2.0' })
  expect(await minimum.codes('1.1.0')).toEqual(['below_minimum'])
  expect(await minimum.install('1.1.0')).toBe('no update')
})

test('electron-updater stays on a release that was rolled back if there is nothing to go back to', async () => {
  const back = await startEditor()
  await back.release('1.1.0')
  expect(await back.codes('1.1.0')).toEqual([])
  await serve(back.server, '1.0.0', { status: 'paused' })
  await back.release('0.9.0', {}, { arch: 'arm64' })
  expect(await back.codes('1.1.0')).toContain('no_way_back')
  await serve(back.server, '1.1.0', { status: 'rolled_back' })
  expect(await back.install('1.1.0')).toBe('no update')
  await serve(back.server, '1.0.0', { status: 'published' })
  expect(await back.install('1.1.0')).toBe('1.0.0')
})

test('electron-updater is offered nothing, or refuses, where its system is too old', async () => {
  const os = '10.0.19045'
  const floor = { minimumSystemVersion: '10.0.99999' }
  const known = await startEditor({ os })
  await known.release('1.1.0', {}, floor)
  expect(await known.codes('1.1.0')).toEqual(['system_too_old'])
  expect(await known.install('1.0.0', { os })).toBe('no update')
  const unknown = await startEditor()
  await unknown.release('1.1.0', {}, floor)
  expect(await unknown.codes('1.1.0')).toEqual(['system_unknown'])
  expect(await unknown.install('1.0.0')).toBe('no update')
})

test('the page says of every code what updaters of the versions that are run make of it', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/preflight.md'), 'utf8')
  const [, section = ''] = page.split('### What updaters make of it')
  const [table = ''] = section.split('\n## ')
  for (const code of PreflightCode.options) expect(table).toContain(`\`${code}\``)
  const { devDependencies } = packageOf('../../../package.json')
  const { dependencies } = packageOf('../../package.json')
  expect(table).toContain(`electron-updater ${devDependencies?.['electron-updater']} and`)
  expect(table).toContain(`Velopack ${dependencies?.velopack} beside`)
})

function packageOf(path: string): Record<string, Record<string, string> | undefined> {
  return JSON.parse(readFileSync(join(import.meta.dirname, path), 'utf8'))
}
