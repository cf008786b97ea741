import type { Artifact } from '../../../shared/releases/release.ts'
import type { ServedRelease } from '../../catalog/snapshot.ts'
import type { CompiledRelease } from '../../rules/decision/channel.ts'
import { parseVersion, UNKNOWN_VERSION } from '../../rules/decision/version.ts'
import { filesOf } from '../../rules/decision/view.ts'
import { packagesOn } from '../../rules/updaters/choices.ts'
import { type Delta, deltasTo, listFor } from '../../rules/updaters/delta-chain.ts'
import { isDelta, nameInList, packageIdOf, packageOf } from '../../rules/updaters/packages.ts'
import { readDeviceId } from '../check/check-path.ts'
import { documentReply, FeedBodies, feedReply } from './bodies.ts'
import { packageBeside } from './downloads.ts'
import { type FeedFormat, headerOrQuery } from './feed-format.ts'

const JSON_TYPE = 'application/json'
const bodies = new FeedBodies(JSON_TYPE)
const NOTHING = feedReply(JSON_TYPE, JSON.stringify({ Assets: [] }))

/**
 * `/velopack/{app}/{channel}/{platform}/{arch}/releases.{name}.json`: docs/api.md, "Velopack". From its sources
 * (`sources/http.rs`, `SimpleWebSource.cs`, `manager.rs`): a feed without assets is no update. The name is that of the
 * channel that the app was packed for, and says nothing here.
 */
export const VELOPACK: FeedFormat = {
  path: '/velopack/',
  asks: {
    velopack: ({ version, platform, arch }) => ({
      parts: [platform, arch, 'releases.any.json'],
      query: { localVersion: version.text },
    }),
  },
  files: {
    isFile: (path) => path.endsWith('.nupkg'),
    find: (channel, [platform = '', arch = '', file = '']) =>
      packageBeside(channel, packagesOn(platform), arch, file),
  },
  parameters: ['localVersion'],

  client([platform, arch, file = '', ...more], query) {
    const isFeed = /^releases\.[^/]+\.json$/.test(file) && more.length === 0
    if (platform === undefined || !isFeed) return undefined
    // The client does not encode the plus sign of build metadata.
    const version = query.get('localVersion')?.replaceAll(' ', '+')
    return {
      ...{ platform, arch, version, mustList: false },
      choose: packagesOn(platform),
      reply(listing) {
        if (listing === null) return NOTHING
        const { release, channel, isOffer } = listing
        const [full] = filesOf(release)
        if (full === undefined) return NOTHING
        const running = version === undefined ? UNKNOWN_VERSION : parseVersion(version)
        const deltas = isOffer ? deltasTo(channel.compiled, running.text, release, full) : []
        const list = listFor(release.facts, 'velopack', running, full, deltas)
        if (list !== undefined) return documentReply(JSON_TYPE, list)
        const make = () => JSON.stringify({ Assets: assetsOf(release, full, deltas) })
        return deltas.length === 0 ? bodies.reply(release, make) : feedReply(JSON_TYPE, make())
      },
    }
  },

  /** The clients in Rust, JavaScript, C++ and Python send `stagingId`, that in C# does not. */
  deviceId({ headers, query }) {
    return (
      headerOrQuery({ headers, query }) ??
      readDeviceId(query.get('stagingId') ?? undefined, 'stagingId')
    )
  },
}

function assetsOf(release: ServedRelease, full: Artifact, deltas: readonly Delta[]) {
  return [
    { ...assetOf(release, full), NotesMarkdown: release.facts.notes },
    ...deltas.map((delta) => assetOf(delta.release, delta.artifact)),
  ]
}

function assetOf(release: CompiledRelease, file: Artifact) {
  const { sha1 = '', size = 0 } = packageOf(file) ?? {}
  return {
    PackageId: packageIdOf(file),
    Version: release.version.text,
    Type: isDelta(file) ? 'Delta' : 'Full',
    FileName: nameInList(release.version, file),
    SHA1: sha1.toUpperCase(),
    SHA256: '',
    Size: size,
    NotesMarkdown: '',
    NotesHTML: '',
  }
}
