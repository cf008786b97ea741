import { createHash, hash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { type Request, Router } from 'express'
import { FeedQuery } from '../../../shared/releases/release-list.ts'
import { requireApp, requireChannel } from '../../catalog/catalog.ts'
import { Refusal } from '../../catalog/errors.ts'
import { newestFirst, showInFeed } from '../../catalog/releases/show-release.ts'
import type { CatalogChannel, ServedRelease } from '../../catalog/snapshot.ts'
import { serialiseWithNotes } from '../../rules/decision/manifest.ts'
import { oncePer } from '../../runtime/once-per.ts'
import { parseInput } from '../answer/errors.ts'
import { isKnown } from '../answer/reply.ts'
import { sendParts } from '../answer/send-parts.ts'
import type { ApiContext } from '../context.ts'
import { limitAddress } from '../request/rate-limit.ts'
import { EncodedBodies, type Encoding } from './encoded-bodies.ts'

/** Seconds that a cache may keep a feed. */
const MAX_AGE = 60

/** `GET /feed/{appRef}/{channel}`: published releases for changelog screens, newest first, in pages. */
export function feedRoutes(context: ApiContext): Router {
  const { catalog, contact } = context
  const limited = limitAddress(context)
  const bodies = new EncodedBodies()
  const router = Router()

  router.use((_request, response, next) => {
    response.set({
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'ETag, Link',
    })
    next()
  })

  router.options('/:appRef/:channel', limited, (_request, response) => {
    response.set({
      'Access-Control-Allow-Methods': 'GET, HEAD',
      'Access-Control-Allow-Headers': '*',
      'Access-Control-Max-Age': '86400',
    })
    response.status(204).end()
  })

  router.get('/:appRef/:channel', limited, async (request, response) => {
    const { appRef, channel } = request.params
    const span = parseInput(FeedQuery, request.query)
    contact.require()
    const snapshot = await catalog.refresh()
    const page = await feedPage(requireChannel(requireApp(snapshot, appRef), channel), span)
    const preferred = encodingFor(request)
    const cached = { 'Cache-Control': `public, max-age=${MAX_AGE}`, Vary: 'Accept-Encoding' }
    if (isKnown(etagOf(page, preferred), request.headers['if-none-match'])) {
      response.set({ ...cached, ETag: etagOf(page, preferred) })
      response.status(304).end()
      return
    }
    const body = await bodies.get(page.digest, preferred, page.parts)
    contact.require()
    const encoding = body === undefined ? 'identity' : preferred
    response.set({ ...cached, ETag: etagOf(page, encoding) })
    if (encoding !== 'identity') response.set('Content-Encoding', encoding)
    if (page.next !== null) response.links({ next: nextPage(span.limit, page.next) })
    await sendParts(response, body === undefined ? page.parts : [body])
  })

  return router
}

/** The content coding that the caller prefers. */
function encodingFor(request: Request): Encoding {
  const accepted = request.acceptsEncodings(['gzip', 'br', 'identity'])
  return accepted === 'gzip' || accepted === 'br' ? accepted : 'identity'
}

/** Each encoding of a page is a separate representation, so it has its own ETag. */
function etagOf({ digest }: FeedPage, encoding: Encoding): string {
  return encoding === 'identity' ? `"${digest}"` : `"${digest}-${encoding}"`
}

/** Relative to the request URL, whatever path proxies add before it. */
function nextPage(limit: number, before: string): string {
  return `?${new URLSearchParams({ limit: String(limit), before })}`
}

interface FeedSpan {
  /** Maximum number of releases on the page. */
  readonly limit: number
  /** The version that the page follows; omitted for the first page. */
  readonly before?: string | undefined
}

interface FeedPage {
  readonly parts: readonly Uint8Array[]
  /** Differs if the bytes differ, in this process and any other. */
  readonly digest: string
  /** The `before` of the next page; null on the last. */
  readonly next: string | null
}

interface FeedEntry {
  readonly parts: readonly Uint8Array[]
  readonly length: number
  readonly digest: Buffer
}

/** Bytes of releases that are serialized before yielding to other work. */
const SLICE = 1024 * 1024
const COMMA = Buffer.from(',')
const END = Buffer.from(']}')
const entries = new WeakMap<ServedRelease, FeedEntry>()

/**
 * Assembles a page of a channel's feed from serialized releases. Throws `invalid` for a `before` that
 * the channel does not have. A release that is no longer published keeps its place, so that paging
 * continues if it is paused in the meantime.
 */
async function feedPage(channel: CatalogChannel, { limit, before }: FeedSpan): Promise<FeedPage> {
  const published = orderOf(channel.compiled)
  const start = before === undefined ? 0 : placeAfter(channel, published, before)
  const releases = published.slice(start, start + limit)
  const [app, name] = [JSON.stringify(channel.app.ref), JSON.stringify(channel.record.name)]
  const head = Buffer.from(`{"app":${app},"channel":${name},"releases":[`)
  const parts: Uint8Array[] = [head]
  const digests: Buffer[] = [head]
  let fresh = 0
  for (const [index, release] of releases.entries()) {
    const known = entries.get(release)
    const entry = known ?? makeEntry(channel, release)
    if (known === undefined) fresh += entry.length
    if (fresh > SLICE) {
      fresh = 0
      await turn()
    }
    if (index > 0) parts.push(COMMA)
    parts.push(...entry.parts)
    digests.push(entry.digest)
  }
  parts.push(END)
  const isLast = start + limit >= published.length
  const next = isLast ? null : (releases.at(-1)?.version.text ?? null)
  return { parts, digest: hash('sha256', Buffer.concat(digests), 'base64url').slice(0, 27), next }
}

/** The published releases, newest first. */
const orderOf = oncePer(({ published }: CatalogChannel['compiled']) =>
  published.toSorted((one, other) => newestFirst(one.facts, other.facts)),
)

/** Returns how many published releases are not older than that version of the channel. */
function placeAfter(
  { app, record, compiled }: CatalogChannel,
  published: readonly ServedRelease[],
  before: string,
): number {
  const named = compiled.releases.find(({ version }) => version.text === before)
  if (named === undefined) {
    const place = { app: app.ref, channel: record.name }
    throw new Refusal({ code: 'not_on_channel', path: ['before'], ...place })
  }
  const older = published.findIndex(({ facts }) => newestFirst(named.facts, facts) < 0)
  return older < 0 ? published.length : older
}

/** Serializes a release once for all pages. */
function makeEntry(channel: CatalogChannel, release: ServedRelease): FeedEntry {
  const { notes: _notes, ...shown } = showInFeed(channel, release.facts)
  const { id, app, channel: name, version, ...rest } = shown
  const parts = serialiseWithNotes(release, { id, app, channel: name, version }, rest)
  const content = createHash('sha256')
  for (const part of parts) content.update(part)
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const entry = { parts, length, digest: content.digest() }
  entries.set(release, entry)
  return entry
}
