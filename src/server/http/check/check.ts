import type { IncomingHttpHeaders } from 'node:http'
import type { LabelMap } from '../../../shared/names.ts'
import { Refusal, Unavailable } from '../../catalog/errors.ts'
import type { Snapshot } from '../../catalog/snapshot.ts'
import type { ReleaseRecord } from '../../catalog/store.ts'
import { type Decision, decide } from '../../decision/decide.ts'
import { serialiseOffer } from '../../decision/manifest.ts'
import { mergeLabels, NO_LABELS } from '../../fleet/devices/labels.ts'
import { HttpError, toHttpError } from '../answer/errors.ts'
import { errorReply, jsonReply, NO_UPDATE, type Reply } from '../answer/reply.ts'
import type { ApiContext } from '../context.ts'
import { rateLimitHeaders, rateLimitMessage } from '../request/rate-limit.ts'
import { type CheckPath, CheckPaths, readDeviceHeader, readLabels } from './check-path.ts'

export interface CheckRequest {
  /** Path and query as they came, percent-encoded. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** The caller's address, for the rate limit. */
  readonly address: string
  /** True for a HEAD request: answered like any other, but not counted and not an offer. */
  readonly headOnly?: boolean
}

interface CheckingDevice {
  readonly id: string | null
  readonly labels: LabelMap
  /** Set where the labels differ from the stored ones. */
  readonly changed: LabelMap | undefined
  /** True if some of the labels did not fit. */
  readonly isFull: boolean
}

/** A device as identified by a check. */
interface AskingDevice {
  readonly id: string | null
  /** The labels of the query. */
  readonly sent: LabelMap | undefined
}

const ANONYMOUS: CheckingDevice = {
  id: null,
  labels: NO_LABELS,
  changed: undefined,
  isFull: false,
}

export type Check = (request: CheckRequest) => Reply | Promise<Reply>

/**
 * The update check, from path, query and headers to the answer: docs/api.md, "Check for an update".
 * A path of another shape is an unknown route. Never throws. It answers at once,
 * except where the decision needs stored labels or is the first to offer a release.
 */
export function createCheck(context: ApiContext): Check {
  const { catalog, fleet, limits, failures, offers } = context
  const paths = new CheckPaths()

  function check(request: CheckRequest): Reply | Promise<Reply> {
    try {
      if (limits.device.enabled) {
        const verdict = limits.device.take(request.address)
        if (!verdict.allowed) {
          return errorReply(429, rateLimitMessage(verdict), rateLimitHeaders(verdict))
        }
      }
      return answer(request, catalog.snapshot)
    } catch (error) {
      if (error instanceof Refusal && error.code === 'unknown') return answerFresh(request)
      return fail(error)
    }
  }

  function answer(request: CheckRequest, snapshot: Snapshot): Reply | Promise<Reply> {
    const path = readPath(request, snapshot)
    const asking = readDevice(request)
    const device = deviceAtHand(path, asking)
    if (device === undefined) return answerLater(request, asking)
    const decision = decideOn(path, device)
    if (offersAnew(request, decision)) return answerLater(request, asking)
    return conclusion(request, path, device, decision)
  }

  /** If labels or a first offer must be awaited, the catalog afterwards decides. */
  async function answerLater(request: CheckRequest, asking: AskingDevice): Promise<Reply> {
    try {
      const { path, device, decision } = await offers.settle(async () => {
        const path = readPath(request, catalog.snapshot)
        const device = deviceAtHand(path, asking) ?? (await storedDevice(path, asking))
        const decision = decideOn(path, device)
        const fresh = offersAnew(request, decision) ? decision.release : null
        const offered = fresh === null ? [] : [fresh.facts]
        return { channel: path.channel, offered, path, device, decision }
      })
      return conclusion(request, path, device, decision)
    } catch (error) {
      return fail(error)
    }
  }

  function readPath({ url }: CheckRequest, snapshot: Snapshot): CheckPath {
    const path = paths.read(pathOf(url), snapshot)
    if (path === undefined) throw new HttpError(404, `unknown route GET ${pathOf(url)}`)
    return path
  }

  /** The device of a check, unless its stored labels must be read first. */
  function deviceAtHand(path: CheckPath, { id, sent }: AskingDevice): CheckingDevice | undefined {
    if (sent === undefined && (id === null || !path.needsLabels)) {
      if (id === null) return ANONYMOUS
      return { id, labels: NO_LABELS, changed: undefined, isFull: false }
    }
    if (id === null) return merged(id, NO_LABELS, sent)
    const stored = fleet.labelsInMemory(path.channel.app.key, id)
    return stored && merged(id, stored, sent)
  }

  /** An app or channel that is not known may be seconds old: made by another process. */
  async function answerFresh(request: CheckRequest): Promise<Reply> {
    try {
      return await answer(request, await catalog.refresh())
    } catch (error) {
      return fail(error)
    }
  }

  /** A check does not fail because telemetry cannot be read; the labels sent are not kept then. */
  async function storedDevice(
    { channel }: CheckPath,
    { id, sent }: AskingDevice,
  ): Promise<CheckingDevice> {
    if (id === null) return merged(id, NO_LABELS, sent)
    try {
      const [stored] = await fleet.labelsOf(channel.app.key, [id])
      return merged(id, stored ?? NO_LABELS, sent)
    } catch (error) {
      failures.error(error, 'could not read stored labels')
      return { ...merged(id, NO_LABELS, sent), changed: undefined }
    }
  }

  function decideOn(path: CheckPath, device: CheckingDevice): Decision<ReleaseRecord> {
    const { version, platform, arch } = path
    const facts = { deviceId: device.id, version, platform, arch, labels: device.labels }
    return decide(path.channel.compiled, facts)
  }

  function conclusion(
    { headOnly, address: caller }: CheckRequest,
    { channel, version, profile }: CheckPath,
    { id, changed, isFull }: CheckingDevice,
    decision: Decision<ReleaseRecord>,
  ): Reply {
    const { reason } = decision
    const appKey = channel.app.key
    if (!headOnly) {
      if (isFull) fleet.budgets.usedUp('labels')
      fleet.record({
        appKey,
        deviceId: id,
        profile,
        source: 'check',
        caller,
        reason,
        labels: changed,
      })
    }
    if (decision.release === null) return NO_UPDATE
    const { text, parts, length } = serialiseOffer(channel.compiled, decision, version)
    return jsonReply(text ?? parts, length)
  }

  /** A first offer that cannot be stored is logged once, not for every device that waits for it. */
  function fail(error: unknown): Reply {
    const { status, message, headers } = toHttpError(error)
    if (status >= 500 && !(error instanceof Unavailable)) {
      failures.error(error, 'update check failed')
    }
    return errorReply(status, message, headers)
  }

  /** A device with the labels sent merged over those stored; all are used, and those that fit are kept. */
  function merged(id: string | null, stored: LabelMap, sent: LabelMap = NO_LABELS): CheckingDevice {
    const { labels, kept, excess } = mergeLabels(stored, sent, fleet.labelBytes)
    const isFull = excess > 0 && id !== null
    return { id, labels, changed: kept === stored ? undefined : kept, isFull }
  }

  return check
}

/** Whether the decision offers a release for the first time. A HEAD request is offered nothing. */
function offersAnew({ headOnly }: CheckRequest, { release }: Decision<ReleaseRecord>): boolean {
  return !headOnly && release?.facts.offered === false
}

function readDevice({ url, headers }: CheckRequest): AskingDevice {
  const id = readDeviceHeader(headers['x-service-device'])
  const query = url.slice(pathOf(url).length + 1)
  return { id, sent: query === '' ? undefined : readLabels(query) }
}

function pathOf(url: string): string {
  const mark = url.indexOf('?')
  return mark < 0 ? url : url.slice(0, mark)
}
