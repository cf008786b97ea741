import { Router } from 'express'
import { ChannelBody, ChannelPath } from '../../../shared/channel.ts'
import { parseInput } from '../answer/errors.ts'
import type { ApiContext } from '../context.ts'
import { principalOf, requireKey } from '../request/auth.ts'
import { jsonBody } from '../request/body.ts'

/** `/api/v1/channels`: show a channel, and change who is in every rollout of it. */
export function channelRoutes(context: ApiContext): Router {
  const { updates, contact, log } = context
  const router = Router()

  router.get('/:app/:channel', requireKey(context, 'read'), async (request, response) => {
    const path = parseInput(ChannelPath, request.params)
    const { channel } = await updates.showChannel(principalOf(request), path)
    response.json({ channel })
  })

  router.patch('/', requireKey(context, 'serve'), jsonBody, async (request, response) => {
    const { seenChange: seen, app, channel, ...change } = parseInput(ChannelBody, request.body)
    const principal = principalOf(request)
    const place = { app, channel }
    const { changed } = await updates.setChannelPolicy(principal, { ...place, change, seen })
    if (changed) log.info(place, 'channel policy changed')
    await contact.requireConfirmed()
    const shown = await updates.showChannel(principal, place)
    response.json({ channel: shown.channel })
  })

  return router
}
