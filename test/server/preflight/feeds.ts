import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { stringify } from 'yaml'
import type { ServedRelease } from '../../../src/server/catalog/snapshot.ts'
import { READERS } from '../../../src/server/preflight/clients/clients.ts'
import type { Fault } from '../../../src/server/preflight/clients/reading.ts'
import { parseVersion } from '../../../src/server/rules/decision/version.ts'
import { OTHER } from '../../../src/shared/devices/counting.ts'
import type { UpdaterClient } from '../../../src/shared/files/updater.ts'
import { Artifact } from '../../../src/shared/releases/release.ts'
import { channelOf, releaseOf } from '../../support/builders/decision-facts.ts'
import {
  downloaded,
  startElectronUpdater,
  type UpdaterKind,
} from '../../support/updaters/electron-updater.ts'
import { type FileServer, startFileServer } from '../../support/updaters/file-server.ts'
import { startVelopack } from '../../support/updaters/velopack.ts'

export type Members = Record<string, unknown>

export const KINDS = {
  nsis: { platform: 'windows', feed: 'latest.yml', file: 'Editor-1.1.0-x64.exe' },
  mac: { platform: 'darwin', feed: 'latest-mac.yml', file: 'Editor-1.1.0-mac.zip' },
  appimage: { platform: 'linux', feed: 'latest-linux.yml', file: 'Editor-1.1.0.AppImage' },
} as const satisfies Record<UpdaterKind, object>

/** A good feed of 1.1.0, what preflight reads of another one in its place, and what the updater makes of that. */
export interface Feed {
  readonly good: Members
  /** What preflight says of a feed. */
  read(feed: Members, running?: string): Fault[]
  /** The version that the updater installs; why it installs none. */
  install(feed: Members | string, running?: string): Promise<string>
  /** Serves the file under another name, and returns its address. */
  serve(name: string): string
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

export async function electronFeed(kind: UpdaterKind): Promise<Feed> {
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
    serve: (name) => files.add(name, 'new').url,
    async install(feed, running = '1.0.0') {
      const body = typeof feed === 'string' ? feed : stringify(feed)
      const { url: address } = files.add(name, body)
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

export async function velopackFeed(): Promise<Feed> {
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
    serve: (name) => files.add(name, 'new').url,
    async install(feed, running = '1.0.0') {
      files.add('releases.win.json', typeof feed === 'string' ? feed : JSON.stringify(feed))
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

/** A copy of a feed with another value at a path; without the member for undefined. */
export function changed(
  feed: Members,
  path: readonly (string | number)[],
  value: unknown,
): Members {
  const copy = structuredClone(feed)
  let at = copy
  for (const name of path.slice(0, -1)) at = at[name] as Members
  const last = path.at(-1) ?? ''
  if (value === undefined) delete at[last]
  else at[last] = value
  return copy
}
