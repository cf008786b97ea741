import type { CandidateTrace } from '../../../shared/devices/explanation.ts'
import type { CatalogChannel } from '../../catalog/snapshot.ts'
import type { AskFeed, AskingDevice, ClientAnswer } from '../../preflight/groups.ts'
import { createCheckFeed, type Listing } from '../../use-cases/fleet/check-feed.ts'
import { decideOn } from '../../use-cases/fleet/check-for-update.ts'
import { installationOn } from '../../use-cases/fleet/installation.ts'
import { toHttpError } from '../answer/errors.ts'
import type { Reply } from '../answer/reply.ts'
import { replyWith } from '../check/check.ts'
import { FEEDS } from './device-checks.ts'
import { clientOn, replyOf } from './feed-check.ts'
import type { AskingBy, FeedAddress, FeedFormat } from './feed-format.ts'

interface Asking {
  readonly format: FeedFormat
  readonly addressOf: AskingBy
}

/** How each client that reads a feed asks for it. */
const ASKING = new Map<string, Asking>(
  FEEDS.flatMap((format) =>
    Object.entries(format.asks).map(([client, addressOf]) => [client, { format, addressOf }]),
  ),
)

/** Answers as `createCheck` and `createFeedCheck` do, on a channel that need not be the current one. */
export const askFeed: AskFeed = (channel, client, device) => {
  const asking = ASKING.get(client)
  const traced: CandidateTrace[] = []
  if (asking === undefined) {
    const { version, platform, arch } = device
    const installation = installationOn(channel, version, platform, arch)
    const check = { ...device, installation, ...UNRECORDED }
    const decision = decideOn(check.installation, check, device, traced)
    const offer = decision.release === null ? null : { channel, version, decision }
    return answerOf(replyWith(offer), decision, traced)
  }
  const address = asking.addressOf(device)
  if (address === undefined) return { ...NOTHING, candidates: traced }
  return askAt(channel, device, { format: asking.format, ...address }, traced)
}

type Decided = ReturnType<typeof decideOn>

/** Of a check that no device makes. */
const UNRECORDED = { manual: false, caller: '', counts: false } as const
const NOTHING = { status: 404, body: '', offered: null, allowDowngrade: false } as const

function askAt(
  channel: CatalogChannel,
  { deviceId, labels }: AskingDevice,
  { format, parts, query: named }: FeedAddress & { readonly format: FeedFormat },
  traced: CandidateTrace[],
): ClientAnswer {
  const query = new URLSearchParams(named)
  const known = clientOn(format, channel, parts, query)
  if (known === undefined) return { ...NOTHING, candidates: traced }
  const { client, installation } = known
  let made: Decided | undefined
  const checkFeed = createCheckFeed((check) => {
    // The second one, of a device that is offered nothing, finds what to list.
    const decision = decideOn(check.installation, check, { labels }, made ? undefined : traced)
    made ??= decision
    const { version } = check.installation
    return decision.release === null ? null : { channel, version, decision }
  })
  const { mustList, takes } = client
  const check = { deviceId, bundle: '', labels, takes, installation, ...UNRECORDED }
  const listed = checkFeed({ ...check, mustList })
  try {
    const reply = replyOf(client, listed as Listing | null, query)
    return answerOf(reply, made, traced)
  } catch (error) {
    const { status, message } = toHttpError(error)
    return { status, body: message, ...offeredIn(made), candidates: traced }
  }
}

function answerOf(
  { status, body = '' }: Reply,
  decision: Decided | undefined,
  candidates: readonly CandidateTrace[],
): ClientAnswer {
  const text = typeof body === 'string' ? body : Buffer.concat(body).toString()
  return { status, body: text, ...offeredIn(decision), candidates }
}

function offeredIn(decision: Decided | undefined) {
  const isOffer = decision !== undefined && decision.release !== null
  return {
    offered: isOffer ? decision.release.version : null,
    allowDowngrade: isOffer && decision.allowDowngrade,
  }
}
