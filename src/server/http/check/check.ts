import type { RequestHandler } from 'express'
import { z } from 'zod'
import { OutcomeBody } from '../../../shared/health/health.ts'
import { AppRefOrId, ChannelName } from '../../../shared/names.ts'
import { invalid, Refusal } from '../../catalog/errors.ts'
import type { Snapshot } from '../../catalog/snapshot.ts'
import { type SerialisedManifest, serialiseOffer } from '../../rules/decision/manifest.ts'
import type { CheckResult } from '../../use-cases/fleet/check-for-update.ts'
import type { Installation } from '../../use-cases/fleet/installation.ts'
import { HttpError, parseInput } from '../answer/errors.ts'
import { jsonReply, NO_UPDATE, notSent, type Reply } from '../answer/reply.ts'
import type { ApiContext } from '../context.ts'
import { callerAddress } from '../request/address.ts'
import { text } from '../strings.ts'
import { type Answerer, type Check, createAnswering, pathOf } from './answering.ts'
import {
  parseCheckPath,
  RememberedPaths,
  readBundle,
  readDeviceId,
  readLabels,
  readManual,
  readSystem,
} from './check-path.ts'

/**
 * The update check over HTTP, from path, query and headers to the answer: docs/api.md, "Check for an
 * update". A path of another shape is an unknown route. Never throws. Answers at once if the use case
 * does.
 */
export function createCheck(context: ApiContext): Check {
  const { updates } = context
  const paths = new RememberedPaths(parseCheckPath)

  function installationAt(path: string, snapshot: Snapshot): Installation {
    const installation = paths.read(path, snapshot)
    if (installation === undefined) throw new HttpError(404, text.unknownRoute('GET', path))
    return installation
  }

  const answer: Answerer = (request, snapshot, asked) => {
    const { url, headers, address, headOnly } = request
    const path = pathOf(url)
    const installation = installationAt(path, snapshot)
    asked.appKey = installation.channel.app.key
    const deviceId = readDeviceId(headers['x-service-device'])
    const query = url.slice(path.length + 1)
    const labels = query === '' ? undefined : readLabels(query)
    const bundle = query === '' ? '' : readBundle(query)
    // Read only where it can matter.
    const manual =
      query !== '' && installation.served.policy.manualChecks ? readManual(query) : false
    const system = query !== '' && installation.served.hasFloors ? readSystem(query) : undefined
    const counts = headOnly !== true
    const check = {
      installation,
      deviceId,
      bundle,
      labels,
      system,
      manual,
      caller: address,
      counts,
    }
    const result = updates.check(check)
    return result instanceof Promise ? result.then(replyWith) : replyWith(result)
  }

  return createAnswering(context, {
    answer,
    withoutUpdate({ url }, snapshot) {
      try {
        installationAt(pathOf(url), snapshot)
      } catch (error) {
        // The app or channel may have been made elsewhere meanwhile.
        if (!(error instanceof Refusal) || error.kind !== 'unknown') throw error
      }
      return NO_UPDATE
    },
  })
}

/** The replies with manifests, each made once. */
const replies = new WeakMap<SerialisedManifest, Reply>()

export function replyWith(offer: CheckResult): Reply {
  if (offer === null) return NO_UPDATE
  const { channel, decision, version } = offer
  const manifest = serialiseOffer(channel.compiled, decision, version)
  const known = replies.get(manifest)
  if (known !== undefined) return known
  const { text: whole, parts, length } = manifest
  const reply = jsonReply(whole ?? parts, length)
  const kept = whole === null ? reply : { ...reply, sent: notSent() }
  replies.set(manifest, kept)
  return kept
}

const OutcomePath = z.object({ appRef: AppRefOrId, channel: ChannelName })

/** `POST /u/{appRef}/{channel}/outcome`: what an app reports of an update. The same answer whether or not it counts. */
export function reportOutcome(context: ApiContext): RequestHandler {
  return async (request, response) => {
    const { appRef: app, channel } = parseInput(OutcomePath, request.params)
    const body = parseInput(OutcomeBody, request.body)
    const deviceId = readDeviceId(request.headers['x-service-device'])
    if (deviceId === null)
      throw invalid({ path: ['X-Service-Device'], reason: text.request.device })
    context.contact.require()
    const caller = callerAddress(request, context)
    await context.updates.reportOutcome({ app, channel, ...body, deviceId, caller })
    response.status(204).end()
  }
}
