import { randomUUID } from 'node:crypto'
import type { RequestHandler } from 'express'
import { z } from 'zod'
import { AppRefOrId } from '../../../shared/names.ts'
import { parseInput } from '../answer/errors.ts'
import type { ApiContext } from '../context.ts'
import { callerAddress } from '../request/address.ts'
import { type ReadEnvelope, readEnvelope } from './envelope.ts'

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
