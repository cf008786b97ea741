import { randomUUID } from 'node:crypto'
import type { RequestHandler } from 'express'
import { z } from 'zod'
import { NO_SESSIONS, type SessionCounts } from '../../../shared/health/health-states.ts'
import { AppRefOrId } from '../../../shared/names.ts'
import type { ReportedSessions } from '../../use-cases/fleet/count-sessions.ts'
import { HttpError, parseInput } from '../answer/errors.ts'
import type { ApiContext } from '../context.ts'
import { callerAddress } from '../request/address.ts'
import { text } from '../strings.ts'

/** The project is whatever stands in the DSN. */
const EnvelopePath = z.object({ appRef: AppRefOrId, project: z.string().max(64) })
/** Milliseconds between two notes in the log about an app. */
const HOUR = 3_600_000

/**
 * `POST /sentry/{appRef}/api/{project}/envelope/`, what the SDKs of Sentry send with the DSN
 * `https://any@host/sentry/{appRef}/1`. Sessions are counted, everything else is not. Answers as Sentry does, also for what
 * is not counted, so that no SDK sends it again.
 */
export function takeEnvelope(context: ApiContext): RequestHandler {
  const { updates, envelopeCounts, log } = context
  const notedAt = new Map<string, number>()

  function note(app: string, { ignored }: ReadEnvelope, uncounted: Uncounted): void {
    for (const name of ignored) envelopeCounts?.add(name)
    envelopeCounts?.add('session', uncounted.counted)
    envelopeCounts?.add('session_unknown_release', uncounted.unknownRelease)
    envelopeCounts?.add('session_over_limit', uncounted.overLimit)
    const { release } = uncounted
    const now = performance.now()
    if (release === null || now - (notedAt.get(app) ?? Number.NEGATIVE_INFINITY) < HOUR) return
    notedAt.set(app, now)
    log.warn({ app, release }, 'sessions of a release that the app does not have are not counted')
  }

  return async (request, response) => {
    const { appRef } = parseInput(EnvelopePath, request.params)
    const envelope = readEnvelope(request.body)
    const caller = callerAddress(request, context)
    const result = await updates.countSessions({ app: appRef, sessions: envelope.sessions, caller })
    note(result.app, envelope, result)
    // Pages of other origins send envelopes, too.
    response.set('Access-Control-Allow-Origin', '*')
    response.json({ id: envelope.id ?? randomUUID().replaceAll('-', '') })
  }
}

type Uncounted = Awaited<ReturnType<ApiContext['updates']['countSessions']>>

/** Items of an envelope, and groups of sessions in one of them, that are read; what comes after them is not counted. */
const MAX_ITEMS = 100
const MAX_GROUPS = 500
const NEWLINE = 0x0a

const Header = z.looseObject({
  event_id: z
    .string()
    .regex(/^[\da-f]{32}$/)
    .optional()
    .catch(undefined),
})
const ItemHeader = z.looseObject({ type: z.string(), length: z.int().min(0).optional() })

const text200 = z.string().min(1).max(200)
const device = text200.nullish().catch(undefined)
const attributes = z.looseObject({ release: text200 })
const number = z.int().min(0).default(0)

/** An update of one session. A status that is not known says nothing. */
const Session = z.looseObject({
  did: device,
  init: z.boolean().nullish(),
  status: z.string().nullish(),
  errors: z.number().nullish(),
  attrs: attributes,
})

/** Sessions that were counted before they were sent. */
const Aggregates = z.looseObject({
  aggregates: z.array(
    z.looseObject({
      did: device,
      ...{ exited: number, errored: number, unhandled: number, crashed: number, abnormal: number },
    }),
  ),
  attrs: attributes,
})

/** What an envelope has for release health. */
interface ReadEnvelope {
  /** The ID that its sender gave it; undefined without one. */
  readonly id: string | undefined
  readonly sessions: readonly ReportedSessions[]
  /** Names of the other items, as often as each came. */
  readonly ignored: readonly string[]
}

/**
 * Reads an envelope of Sentry: a line of JSON, and items of a line of JSON and a payload each, which ends at its `length` or
 * its line. Items that are not about sessions are skipped. Throws the error 400 for what is none.
 */
function readEnvelope(body: Buffer): ReadEnvelope {
  const reader = new Reader(body)
  const { event_id: id } = reader.json(Header)
  const sessions: ReportedSessions[] = []
  const ignored: string[] = []
  for (let items = 0; !reader.isAtEnd && items < MAX_ITEMS; items++) {
    const { type, length } = reader.json(ItemHeader)
    const payload = reader.payload(length)
    if (type === 'session') sessions.push(...ofSession(parsed(Session, payload)))
    else if (type === 'sessions') sessions.push(...ofAggregates(parsed(Aggregates, payload)))
    else ignored.push(type)
  }
  return { id, sessions, ignored }
}

function ofSession(session: z.infer<typeof Session>): ReportedSessions[] {
  const { init, status, errors, did, attrs } = session
  const ended = endOf(status ?? 'ok', errors ?? 0)
  const counts: SessionCounts = {
    ...NO_SESSIONS,
    started: init === true ? 1 : 0,
    ...(ended === null ? {} : { [ended]: 1 }),
  }
  // Other updates of a session that goes on count nothing.
  if (counts.started === 0 && ended === null) return []
  return [{ release: attrs.release, device: did ?? null, counts }]
}

function endOf(status: string, errors: number): Exclude<keyof SessionCounts, 'started'> | null {
  if (status === 'crashed' || status === 'abnormal') return status
  if (status === 'errored' || status === 'unhandled') return 'errored'
  if (status !== 'exited') return null
  return errors > 0 ? 'errored' : 'healthy'
}

function ofAggregates({ aggregates, attrs }: z.infer<typeof Aggregates>): ReportedSessions[] {
  return aggregates.slice(0, MAX_GROUPS).map((group) => {
    const { exited: healthy, errored, unhandled, crashed, abnormal, did } = group
    const ended = { healthy, errored: errored + unhandled, crashed, abnormal }
    const started = healthy + errored + unhandled + crashed + abnormal
    return { release: attrs.release, device: did ?? null, counts: { started, ...ended } }
  })
}

class Reader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    while (this.#bytes[this.#at] === NEWLINE) this.#at++
    return this.#at >= this.#bytes.length
  }

  json<Schema extends z.ZodType>(schema: Schema): z.infer<Schema> {
    return parsed(schema, this.payload(undefined))
  }

  /** Without a length, the rest of the line. */
  payload(length: number | undefined): Buffer {
    const line = this.#bytes.indexOf(NEWLINE, this.#at)
    const end = length === undefined ? (line < 0 ? this.#bytes.length : line) : this.#at + length
    if (end > this.#bytes.length) throw new HttpError(400, text.envelope.malformed)
    const payload = this.#bytes.subarray(this.#at, end)
    this.#at = end + 1
    return payload
  }
}

function parsed<Schema extends z.ZodType>(schema: Schema, bytes: Buffer): z.infer<Schema> {
  try {
    return schema.parse(JSON.parse(bytes.toString('utf8')))
  } catch {
    throw new HttpError(400, text.envelope.malformed)
  }
}
