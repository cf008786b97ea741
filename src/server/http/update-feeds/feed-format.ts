import type { IncomingHttpHeaders } from 'node:http'
import type { UpdaterClient } from '../../../shared/files/updater.ts'
import type { CatalogChannel } from '../../catalog/snapshot.ts'
import type { AskingDevice } from '../../preflight/groups.ts'
import type { Takes } from '../../rules/decision/device.ts'
import type { FileChoice } from '../../rules/decision/view.ts'
import type { ListingResult } from '../../use-cases/fleet/check-feed.ts'
import type { Reply } from '../answer/reply.ts'
import { readDeviceId } from '../check/check-path.ts'

/** The updater client of an app, as its addresses describe it. */
export interface FeedClient {
  readonly platform: string
  /** Undefined if the client does not send it. */
  readonly arch: string | undefined
  readonly version: string | undefined
  /** Whether it would take a version that it is offered, where it does not take all; undefined where it does. */
  readonly takes?: Takes | undefined
  /** True if it fails on a feed without a release. */
  readonly mustList: boolean
  /** The files that it installs; `arch` is canonical, and null if it is not known. */
  choose(arch: string | null): FileChoice
  /** The response to a request with that query. Throws an `HttpError`. */
  reply(listing: ListingResult, query: URLSearchParams): Reply
}

/** The parts of a request that can carry the ID of the device. */
export interface IdCarriers {
  readonly headers: IncomingHttpHeaders
  readonly query: URLSearchParams
}

/** The files that have an address beside a feed. */
export interface FeedFiles {
  /** Whether a path, decoded, is that of a file, and not of the feed. */
  isFile(path: string): boolean
  /** Returns the address of a file, by the parts of the path after the channel; undefined if there is none. */
  find(
    channel: CatalogChannel,
    parts: readonly string[],
  ): string | undefined | Promise<string | undefined>
  /** Returns what is wrong with a path that is of no file, where that is no path of a feed either. */
  unknown?(channel: CatalogChannel, parts: readonly string[]): string | undefined
}

/** How an updater addresses its feed: the path after app and channel. */
export interface FeedAddress {
  readonly parts: readonly string[]
  readonly query?: Readonly<Record<string, string>>
}

/** Returns how a device asks; undefined if its updater has no feed there. */
export type AskingBy = (device: AskingDevice) => FeedAddress | undefined

/** How a family of updater clients asks for updates, and what it is answered. */
export interface FeedFormat {
  /** How its paths begin, such as `/electron/`. */
  readonly path: string
  /** The addresses in docs/connect.md, for preflight. */
  readonly asks: Readonly<Partial<Record<UpdaterClient, AskingBy>>>
  readonly files: FeedFiles
  /** Query parameters that describe the client. */
  readonly parameters: readonly string[]
  /** Reads the parts of a path after app and channel. Undefined for another shape; throws an `HttpError`. */
  client(
    parts: readonly string[],
    query: URLSearchParams,
    channel: CatalogChannel,
  ): FeedClient | undefined
  /** Reads the ID of the device; null if the client sends none. Throws `invalid`. */
  deviceId(carriers: IdCarriers): string | null
}

/** Reads the ID from the header, else from the query, for clients that send no headers. */
export function headerOrQuery({ headers, query }: IdCarriers): string | null {
  return (
    readDeviceId(headers['x-service-device']) ??
    readDeviceId(query.get('device') ?? undefined, 'device')
  )
}
