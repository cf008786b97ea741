import { requireApp, requireChannel } from '../../catalog/catalog.ts'
import { OutOfContact } from '../../catalog/errors.ts'
import type { CatalogChannel, Snapshot } from '../../catalog/snapshot.ts'
import { parseVersion, UNKNOWN_VERSION } from '../../rules/decision/version.ts'
import { archOn } from '../../rules/decision/view.ts'
import {
  type FeedInstallation,
  installationInFeed,
  type ListingResult,
} from '../../use-cases/fleet/check-feed.ts'
import { HttpError } from '../answer/errors.ts'
import { NO_UPDATE, type Reply } from '../answer/reply.ts'
import { type Answerer, type Check, createAnswering, pathOf } from '../check/answering.ts'
import {
  isManual,
  partsOf,
  RememberedPaths,
  readLabels,
  readPart,
  systemIn,
} from '../check/check-path.ts'
import type { ApiContext } from '../context.ts'
import { text } from '../strings.ts'
import { withDownloads } from './downloads.ts'
import type { FeedClient, FeedFormat } from './feed-format.ts'

const NO_QUERY = new URLSearchParams()
/** What electron-updater adds to every request so that caches pass it on. */
const ONLY_NO_CACHE = /^noCache=[^&]*$/

/**
 * The check of clients that read a feed, from path, query and headers to the feed: docs/api.md, "Update feeds".
 * Decided, counted and limited as the update check is. Answers what has an address beside the feed, too. Never throws.
 */
export function createFeedCheck(context: ApiContext, format: FeedFormat): Check {
  const { updates } = context
  const clients = new RememberedPaths((address, snapshot) =>
    parseAddress(address, snapshot, format),
  )

  function clientAt(path: string, query: URLSearchParams, snapshot: Snapshot): KnownClient {
    const known = clients.read(addressOf(path, query, format), snapshot)
    if (known === undefined) throw new HttpError(404, text.unknownRoute('GET', path))
    return known
  }

  const answer: Answerer = (request, snapshot, asked) => {
    const { url, headers, address, headOnly } = request
    const path = pathOf(url)
    const search = url.slice(path.length + 1)
    const isPlain = search === '' || ONLY_NO_CACHE.test(search)
    const query = isPlain ? NO_QUERY : new URLSearchParams(search)
    const { installation, client } = clientAt(path, query, snapshot)
    asked.appKey = installation.channel.app.key
    const result = updates.checkFeed({
      installation,
      deviceId: format.deviceId({ query, headers }),
      // The files of the feed are of the kinds that its clients install.
      bundle: '',
      labels: isPlain ? undefined : readLabels(search),
      system: isPlain ? undefined : systemIn(query),
      manual: !isPlain && isManual(query),
      caller: address,
      counts: headOnly !== true,
      mustList: client.mustList,
      takes: client.takes,
    })
    return result instanceof Promise
      ? result.then((late) => replyOf(client, late, query))
      : replyOf(client, result, query)
  }

  const check = createAnswering(context, {
    answer,
    withoutUpdate({ url }, snapshot) {
      const path = pathOf(url)
      const query = new URLSearchParams(url.slice(path.length + 1))
      const { installation, client } = clientAt(path, query, snapshot)
      if (!client.mustList) return replyOf(client, null, query)
      // For these clients no release is an error, and only the one that they run is no update.
      const { channel, own } = installation
      if (own === null) throw new OutOfContact()
      return replyOf(client, { channel, release: own, isOffer: false }, query)
    },
  })
  return withDownloads(context, check, format.files)
}

/** A client, and what its address says that runs on the device. */
export interface KnownClient {
  readonly client: FeedClient
  readonly installation: FeedInstallation
}

export function replyOf(client: FeedClient, listing: ListingResult, query: URLSearchParams): Reply {
  const reply = client.reply(listing, query)
  return listing?.isOffer === true ? reply : { ...reply, countsAs: NO_UPDATE.status }
}

/** The path with those parameters alone that say what runs on the device. */
function addressOf(path: string, query: URLSearchParams, { parameters }: FeedFormat): string {
  if (query.size === 0) return path
  const named = new URLSearchParams()
  for (const name of parameters) {
    const value = query.get(name)
    if (value !== null) named.set(name, value)
  }
  return `${path}?${named}`
}

function parseAddress(
  address: string,
  snapshot: Snapshot,
  format: FeedFormat,
): KnownClient | undefined {
  const path = pathOf(address)
  const [, appRef, channelName, ...rest] = partsOf(path)
  if (appRef === undefined || channelName === undefined || rest.length === 0) return undefined
  const channel = requireChannel(requireApp(snapshot, appRef), channelName)
  return clientOn(format, channel, rest, new URLSearchParams(address.slice(path.length + 1)))
}

/** Returns the client that asks a channel's feed with that path and query; undefined for a path of another shape. */
export function clientOn(
  format: FeedFormat,
  channel: CatalogChannel,
  parts: readonly string[],
  query: URLSearchParams,
): KnownClient | undefined {
  const client = format.client(parts, query, channel)
  if (client === undefined) return undefined
  const platform = readPart('platform', client.platform)
  const arch = client.arch === undefined ? '' : readPart('arch', client.arch)
  const version =
    client.version === undefined
      ? UNKNOWN_VERSION
      : parseVersion(readPart('version', client.version))
  const choose = ({ compiled }: CatalogChannel) =>
    client.choose(arch === '' ? null : archOn(compiled, arch))
  return { client, installation: installationInFeed(channel, version, platform, arch, choose) }
}
