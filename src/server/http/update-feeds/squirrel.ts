import { canonicalPlatform } from '../../../shared/devices/aliases.ts'
import type { Artifact } from '../../../shared/releases/release.ts'
import type { ReleaseRecord } from '../../catalog/records.ts'
import { parseVersion } from '../../rules/decision/version.ts'
import { filesOf } from '../../rules/decision/view.ts'
import { packagesOn, squirrelChoice } from '../../rules/updaters/choices.ts'
import { deltasTo, listFor } from '../../rules/updaters/delta-chain.ts'
import { packageOf } from '../../rules/updaters/packages.ts'
import { HttpError } from '../answer/errors.ts'
import { NO_UPDATE } from '../answer/reply.ts'
import { text } from '../strings.ts'
import { documentReply, FeedBodies, feedReply } from './bodies.ts'
import { packageBeside } from './downloads.ts'
import { type FeedClient, type FeedFormat, headerOrQuery } from './feed-format.ts'

const updates = new FeedBodies('application/json')
const RELEASES = 'text/plain'
const releases = new FeedBodies(RELEASES)

type Part = string | undefined

/** `/squirrel/{app}/{channel}/{platform}/{arch}/{version}` on macOS, `…/RELEASES` on Windows: docs/api.md, "Squirrel". */
export const SQUIRREL: FeedFormat = {
  path: '/squirrel/',
  asks: {
    squirrel_mac: ({ version, platform, arch }) => ({ parts: [platform, arch, version.text] }),
    squirrel_windows: ({ version, platform, arch }) => ({
      parts: [platform, arch, version.text, 'RELEASES'],
    }),
  },
  files: {
    isFile: (path) => /\.nupkg$/i.test(path),
    find: (channel, [, arch = '', , file = '']) =>
      packageBeside(channel, packagesOn('windows'), arch, file),
  },
  parameters: [],
  deviceId: headerOrQuery,

  client([platform, arch, version, file, ...more], _query, { app, record }) {
    if (platform === undefined || version === undefined || more.length > 0) return undefined
    const place = { app: app.ref, channel: record.name }
    const system = canonicalPlatform(platform)
    if (system === 'darwin' && file === undefined) return squirrelMac(platform, arch, version)
    if (system !== 'windows' || file !== 'RELEASES') return undefined
    return squirrelWindows(platform, arch, version, place)
  },
}

/** Squirrel.Mac (`SQRLUpdater.m`, `SQRLUpdate.m`): 204 for no update; else it installs the zip. It knows no fractions of a second. */
function squirrelMac(platform: string, arch: Part, version: string): FeedClient {
  return {
    ...{ platform, arch, version, mustList: false },
    choose: squirrelChoice,
    reply(listing) {
      if (listing === null) return NO_UPDATE
      const { release } = listing
      const url = filesOf(release)[0]?.url
      return updates.reply(release, () => JSON.stringify({ url, ...aboutRelease(release.facts) }))
    },
  }
}

function aboutRelease({ version, notes, createdAt }: ReleaseRecord) {
  return { name: version, notes, pub_date: createdAt.replace(/\.\d+Z$/, '+00:00') }
}

/**
 * Squirrel.Windows (`ReleaseEntry.cs`, `UpdateManager.CheckForUpdates.cs`): a line of SHA-1, address and size for each
 * package. It fails on a file without one, and never goes back to a lower version. It applies every delta package above its
 * version in place of the full one, unless they are larger.
 */
function squirrelWindows(
  platform: string,
  arch: Part,
  version: string,
  place: { readonly app: string; readonly channel: string },
): FeedClient {
  return {
    ...{ platform, arch, version, mustList: true },
    choose: packagesOn('windows'),
    reply(listing) {
      if (listing === null) throw new HttpError(404, text.feeds.nothing(place))
      const { release, channel, isOffer } = listing
      const [full] = filesOf(release)
      if (full === undefined) throw new HttpError(404, text.feeds.nothing(place))
      const running = parseVersion(version)
      const deltas = isOffer ? deltasTo(channel.compiled, running.text, release, full) : []
      const list = listFor(release.facts, 'squirrel', running, full, deltas)
      if (list !== undefined) return documentReply(RELEASES, list)
      if (deltas.length === 0) return releases.reply(release, () => lineOf(full))
      const files = [...deltas.map(({ artifact }) => artifact), full]
      return feedReply(RELEASES, files.map(lineOf).join(''))
    },
  }
}

function lineOf(file: Artifact): string {
  const { sha1 = '', size = 0 } = packageOf(file) ?? {}
  // A number sign would begin a comment.
  return `${sha1.toUpperCase()} ${file.url.replace(/#.*$/, '')} ${size}\n`
}
