import type { Artifact } from '../../../shared/release.ts'
import { readVersion } from '../../../shared/version.ts'
import type { CatalogChannel, ServedRelease } from '../../catalog/snapshot.ts'
import type { CompiledRelease } from '../../decision/channel.ts'
import { archOn, filesOf } from '../../decision/view.ts'
import { velopackChoice } from '../../updaters/choices.ts'
import { deltaOf, deltasTo } from '../../updaters/delta-chain.ts'
import { isDelta, packageIdOf, packageOf } from '../../updaters/packages.ts'
import { type Listing, viewInFeed } from '../../use-cases/fleet/check-feed.ts'
import type { Check } from '../check/answering.ts'
import { readDeviceId } from '../check/check-path.ts'
import type { ApiContext } from '../context.ts'
import { FeedBodies, feedReply } from './bodies.ts'
import { withDownloads } from './downloads.ts'
import { createFeedCheck } from './feed-check.ts'
import { type FeedFormat, headerOrQuery } from './feed-format.ts'

const JSON_TYPE = 'application/json'
const bodies = new FeedBodies(JSON_TYPE)
const NOTHING = feedReply(JSON_TYPE, JSON.stringify({ Assets: [] }))

/**
 * `/velopack/{app}/{channel}/{platform}/{arch}/releases.{name}.json`: docs/api.md, "Velopack". From its sources
 * (`sources/http.rs`, `SimpleWebSource.cs`, `manager.rs`): a feed without assets is no update. The name is that of the
 * channel that the app was packed for, and says nothing here.
 */
const VELOPACK: FeedFormat = {
  parameters: ['localVersion'],

  client([platform, arch, file = '', ...more], query) {
    const isFeed = /^releases\.[^/]+\.json$/.test(file) && more.length === 0
    if (platform === undefined || !isFeed) return undefined
    // The client does not encode the plus sign of build metadata.
    const version = query.get('localVersion')?.replaceAll(' ', '+')
    return {
      ...{ platform, arch, version, mustList: false },
      choose: (canonical) => velopackChoice(platform, canonical),
      reply(listing) {
        if (listing === null) return NOTHING
        const { release } = listing
        const deltas = deltaAssets(listing, version)
        const make = () => JSON.stringify({ Assets: [...fullAsset(release), ...deltas] })
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

/**
 * Answers both what a Velopack app asks for: the feed, and the packages in it. The client saves a package under its name
 * in the feed, so that is no address; it is redirected to the address of the file.
 */
export function createVelopackCheck(context: ApiContext): Check {
  return withDownloads(context, createFeedCheck(context, VELOPACK), {
    isFile: (path) => path.endsWith('.nupkg'),
    find: (channel, [platform = '', arch = '', file = '']) =>
      packageNamed(channel, platform, arch, file)?.url,
  })
}

function packageNamed(
  channel: CatalogChannel,
  platform: string,
  arch: string,
  file: string,
): Artifact | undefined {
  const choice = velopackChoice(platform, archOn(channel.compiled, arch))
  const { published } = viewInFeed(channel, choice).channel
  for (const release of published.toReversed()) {
    const [full] = filesOf(release)
    if (full === undefined) continue
    if (nameInFeed(release, full) === file) return full
    const delta = deltaOf(release.facts.artifacts, full)
    if (delta !== undefined && nameInFeed(release, delta) === file) return delta
  }
  return undefined
}

function fullAsset(release: ServedRelease) {
  const [full] = filesOf(release)
  return full === undefined
    ? []
    : [{ ...assetOf(release, full), NotesMarkdown: release.facts.notes }]
}

/** The delta packages that lead to the release from the version that the client says it runs. */
function deltaAssets({ channel, release, isOffer }: Listing, version: string | undefined) {
  const [full] = filesOf(release)
  const running = version === undefined ? undefined : readVersion(version)
  if (!isOffer || full === undefined || !running?.ok) return []
  const deltas = deltasTo(channel.compiled, running.version.text, release, full)
  return deltas.map((delta) => assetOf(delta.release, delta.artifact))
}

function assetOf(release: CompiledRelease, file: Artifact) {
  const { sha1 = '', size = 0 } = packageOf(file) ?? {}
  return {
    PackageId: packageIdOf(file),
    Version: release.version.text,
    Type: isDelta(file) ? 'Delta' : 'Full',
    FileName: nameInFeed(release, file),
    SHA1: sha1.toUpperCase(),
    SHA256: '',
    Size: size,
    NotesMarkdown: '',
    NotesHTML: '',
  }
}

/** As `vpk` names packages, and unique in the channel. */
function nameInFeed({ version }: CompiledRelease, file: Artifact): string {
  return `${packageIdOf(file)}-${version.text}-${isDelta(file) ? 'delta' : 'full'}.nupkg`
}
