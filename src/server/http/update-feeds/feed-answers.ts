import type { CandidateTrace } from '../../../shared/devices/explanation.ts'
import type { UpdaterClient } from '../../../shared/files/updater.ts'
import { bundleVersionOf } from '../../../shared/releases/version.ts'
import type { CatalogChannel } from '../../catalog/snapshot.ts'
import type { AskFeed, AskingDevice, ClientAnswer } from '../../preflight/asking.ts'
import { createCheckFeed, type Listing } from '../../use-cases/fleet/check-feed.ts'
import { decideOn } from '../../use-cases/fleet/check-for-update.ts'
import { installationOn } from '../../use-cases/fleet/installation.ts'
import { toHttpError } from '../answer/errors.ts'
import type { Reply } from '../answer/reply.ts'
import { replyWith } from '../check/check.ts'
import { ELECTRON } from './electron.ts'
import { clientOn, replyOf } from './feed-check.ts'
import type { FeedFormat } from './feed-format.ts'
import { SPARKLE } from './sparkle.ts'
import { SQUIRREL } from './squirrel.ts'
import { VELOPACK } from './velopack.ts'

/** How an updater addresses its feed: the path after app and channel. */
interface Address {
  readonly format: FeedFormat
  readonly parts: readonly string[]
  readonly query?: Readonly<Record<string, string>>
}

/** The addresses in docs/connect.md. */
const ADDRESSES: Readonly<
  Partial<Record<UpdaterClient, (device: AskingDevice) => Address | undefined>>
> = {
  electron_updater({ version, platform, arch, bundle }) {
    const name = manifestOn(platform, arch)
    const query = { version: version.text, arch, bundle }
    return name === undefined ? undefined : { format: ELECTRON, parts: [name], query }
  },
  squirrel_mac: ({ version, platform, arch }) => ({
    ...{ format: SQUIRREL, parts: [platform, arch, version.text] },
  }),
  squirrel_windows: ({ version, platform, arch }) => ({
    ...{ format: SQUIRREL, parts: [platform, arch, version.text, 'RELEASES'] },
  }),
  sparkle: ({ version, arch }) => ({
    ...{ format: SPARKLE, parts: ['appcast.xml'] },
    query: { version: bundleVersionOf(version), arch },
  }),
  velopack: ({ version, platform, arch }) => ({
    ...{ format: VELOPACK, parts: [platform, arch, 'releases.any.json'] },
    query: { localVersion: version.text },
  }),
}

function manifestOn(platform: string, arch: string): string | undefined {
  switch (platform) {
    case 'windows':
      return 'latest.yml'
    case 'darwin':
      return 'latest-mac.yml'
    case 'linux':
      return arch === 'x86_64' ? 'latest-linux.yml' : `latest-linux-${arch}.yml`
    default:
      return undefined
  }
}

/** Answers as `createCheck` and `createFeedCheck` do, on a channel that need not be the current one. */
export const askFeed: AskFeed = (channel, client, device) => {
  const addressOf = ADDRESSES[client]
  const traced: CandidateTrace[] = []
  if (addressOf === undefined) {
    const { version, platform, arch } = device
    const installation = installationOn(channel, version, platform, arch)
    const check = { ...device, installation, ...UNRECORDED }
    const decision = decideOn(check.installation, check, device, traced)
    const offer = decision.release === null ? null : { channel, version, decision }
    return answerOf(replyWith(offer), decision, traced)
  }
  const address = addressOf(device)
  if (address === undefined) return { ...NOTHING, candidates: traced }
  return askAt(channel, device, address, traced)
}

type Decided = ReturnType<typeof decideOn>

/** Of a check that no device makes. */
const UNRECORDED = { manual: false, caller: '', counts: false } as const
const NOTHING = { status: 404, body: '', offered: null, allowDowngrade: false } as const

function askAt(
  channel: CatalogChannel,
  { deviceId, labels }: AskingDevice,
  { format, parts, query: named }: Address,
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
