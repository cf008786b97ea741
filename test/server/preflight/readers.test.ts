import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import type { ServedRelease } from '../../../src/server/catalog/snapshot.ts'
import { READERS } from '../../../src/server/preflight/clients/clients.ts'
import type { Fault } from '../../../src/server/preflight/clients/reading.ts'
import { parseVersion } from '../../../src/server/rules/decision/version.ts'
import { OTHER } from '../../../src/shared/devices/counting.ts'
import type { UpdaterClient } from '../../../src/shared/files/updater.ts'
import { Artifact } from '../../../src/shared/releases/release.ts'
import { channelOf, releaseOf } from '../../support/builders/decision-facts.ts'
import { needs } from '../../support/tools.ts'
import {
  downloaded,
  startElectronUpdater,
  type UpdaterKind,
} from '../../support/updaters/electron-updater.ts'
import { type FileServer, startFileServer } from '../../support/updaters/file-server.ts'
import { startVelopack } from '../../support/updaters/velopack.ts'

type Members = Record<string, unknown>

const KINDS = {
  nsis: { platform: 'windows', feed: 'latest.yml', file: 'Editor-1.1.0-x64.exe' },
  mac: { platform: 'darwin', feed: 'latest-mac.yml', file: 'Editor-1.1.0-mac.zip' },
  appimage: { platform: 'linux', feed: 'latest-linux.yml', file: 'Editor-1.1.0.AppImage' },
} as const satisfies Record<UpdaterKind, object>

/** A good feed of 1.1.0, what preflight reads of another one in its place, and what the updater makes of that. */
interface Feed {
  readonly good: Members
  /** What preflight says of a feed. */
  read(feed: Members, running?: string): Fault[]
  /** The version that the updater installs; why it installs none. */
  install(feed: Members, running?: string): Promise<string>
}

function reading(client: UpdaterClient, platform: string, release: ServedRelease) {
  return (body: string, running: string) =>
    READERS[client]({
      ...{ body, release, running: undefined, allowDowngrade: false },
      device: {
        ...{ deviceId: null, version: parseVersion(running), platform, arch: 'x86_64' },
        ...{ bundle: OTHER, labels: {} },
      },
    })
}

function released(members: Members): ServedRelease {
  const artifacts = [Artifact.parse({ arch: 'x64', ...members })]
  const [release] = channelOf([releaseOf('1.1.0', { artifacts })]).releases
  if (release === undefined) throw new Error('nothing was released')
  return release as ServedRelease
}

async function electronFeed(kind: UpdaterKind): Promise<Feed> {
  const files = await startFileServer()
  const { platform, feed: name, file } = KINDS[kind]
  const { url, sha512, size } = files.add(file, 'new')
  const sum = Buffer.from(sha512, 'hex').toString('base64')
  const read = reading('electron_updater', platform, released({ platform, url, sha512 }))
  const good = {
    ...{ version: '1.1.0', files: [{ url, sha512: sum, size }], path: url, sha512: sum },
    releaseDate: '2026-03-14T09:26:53.589Z',
  }
  return {
    good,
    read: (feed, running = '1.0.0') => read(stringify(feed), running),
    async install(feed, running = '1.0.0') {
      const { url: address } = files.add(name, stringify(feed))
      const place = address.slice(0, -name.length)
      const updater = startElectronUpdater({ kind, feed: place, version: running })
      updater.autoDownload = false
      try {
        const found = await updater.checkForUpdates()
        if (found?.isUpdateAvailable !== true) return 'no update'
        expect(readFileSync(await downloaded(updater), 'utf8')).toBe('new')
        return found.updateInfo.version
      } catch (error) {
        return String(error)
      }
    },
  }
}

async function velopackFeed(): Promise<Feed> {
  const files: FileServer = await startFileServer()
  const name = 'Editor-1.1.0-full.nupkg'
  const { url, sha512, sha1, size } = files.add(name, 'new')
  const signature = `${sha1.toUpperCase()} ${name} ${size}`
  const read = reading(
    'velopack',
    'windows',
    released({ platform: 'windows', url, sha512, signature }),
  )
  const asset = {
    ...{ PackageId: 'Editor', Version: '1.1.0', Type: 'Full', FileName: name },
    ...{ SHA1: sha1.toUpperCase(), SHA256: '', Size: size, NotesMarkdown: '', NotesHTML: '' },
  }
  return {
    good: { Assets: [asset] },
    read: (feed, running = '1.0.0') => read(JSON.stringify(feed), running),
    async install(feed, running = '1.0.0') {
      files.add('releases.win.json', JSON.stringify(feed))
      const { manager } = await startVelopack({
        feed: url.slice(0, -name.length),
        version: running,
      })
      try {
        const update = await manager.checkForUpdatesAsync()
        if (update === null) return 'no update'
        await manager.downloadUpdateAsync(update)
        return update.TargetFullRelease.Version
      } catch (error) {
        return String(error)
      }
    },
  }
}

const codesOf = (faults: readonly Fault[]) => faults.map(({ code }) => code)

/** A copy of a feed with another value at a path; without the member for undefined. */
function changed(feed: Members, path: readonly (string | number)[], value: unknown): Members {
  const copy = structuredClone(feed)
  let at = copy
  for (const name of path.slice(0, -1)) at = at[name] as Members
  const last = path.at(-1) ?? ''
  if (value === undefined) delete at[last]
  else at[last] = value
  return copy
}

describe.each(['nsis', 'mac', 'appimage'] as const)('electron-updater (%s)', (kind) => {
  test('installs what preflight passes, and refuses or misreads what it names', async () => {
    const { good, read, install } = await electronFeed(kind)
    expect([read(good), await install(good)]).toEqual([[], '1.1.0'])
    const [{ url, sha512 } = { url: '', sha512: '' }] = good.files as {
      url: string
      sha512: string
    }[]
    const arm = { ...good, files: [{ url: `${url}#arm64`, sha512 }] }
    type Case = readonly [code: string, feed: Members, outcome: RegExp, running?: string]
    const cases: readonly Case[] = [
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
    ]
    for (const [code, feed, outcome, running] of cases) {
      expect(codesOf(read(feed, running)), JSON.stringify(feed)).toContain(code)
      expect(await install(feed, running), code).toMatch(outcome)
    }
  })
})

const VALUES = fc.oneof(
  fc.constant(undefined),
  fc.constant(null),
  fc.constantFrom('', 'x', '1.0.0', '1.1.0', '1.1.1', 'v1.1.0', '1.1.0-beta', '01.1.0'),
  fc.constantFrom<unknown>(0, 1, 1.1, true, [], {}),
)

/** Feeds that differ from the good one in one member. */
async function mutate(feed: Feed, paths: readonly (string | number)[][], runs: number) {
  const tally = { refused: 0, harmless: 0, harmlessRefused: 0 }
  const property = fc.asyncProperty(fc.constantFrom(...paths), VALUES, async (path, value) => {
    const mutated = changed(feed.good, path, value)
    const isNamed = feed.read(mutated).length > 0
    const outcome = await feed.install(mutated)
    if (outcome !== '1.1.0') {
      tally.refused += 1
      expect(isNamed, `${JSON.stringify(mutated)}: ${outcome}`).toBe(true)
    } else {
      tally.harmless += 1
      if (isNamed) tally.harmlessRefused += 1
    }
  })
  await fc.assert(property, { numRuns: runs, seed: 1 })
  return tally
}

test('no mutation of one member passes that electron-updater refuses or misreads', async () => {
  const feed = await electronFeed('nsis')
  const file = ['url', 'sha512', 'size'].map((name) => ['files', 0, name])
  const top = ['version', 'files', 'path', 'sha512', 'releaseDate', 'stagingPercentage'].map(
    (name) => [name],
  )
  const tally = await mutate(feed, [...top, ...file, ['files', 0]], 150)
  expect(tally.refused).toBeGreaterThan(30)
  expect(tally.harmlessRefused / tally.harmless).toBeLessThan(0.2)
})

test(
  'no mutation of one member passes that Velopack refuses or misreads',
  needs('velopack'),
  async () => {
    const feed = await velopackFeed()
    expect([feed.read(feed.good), await feed.install(feed.good)]).toEqual([[], '1.1.0'])
    expect(codesOf(feed.read(feed.good, '1.1.0'))).toEqual(['version_not_above'])
    expect(await feed.install(feed.good, '1.1.0')).toBe('no update')
    const members = ['Version', 'Type', 'FileName', 'SHA1', 'Size', 'PackageId', 'NotesMarkdown']
    const paths = [['Assets'], ['Assets', 0], ...members.map((name) => ['Assets', 0, name])]
    const tally = await mutate(feed, paths, 120)
    expect(tally.refused).toBeGreaterThan(20)
  },
)
