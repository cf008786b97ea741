import type { Express } from 'express'
import type { ApiContext } from '../context.ts'
import { CHANNEL_OPERATIONS } from '../openapi/openapi-channels.ts'
import { addRoute } from '../request/operation-routes.ts'

/** `/api/v1/channels`: show a channel, and change who is in every rollout of it. */
export function addChannelRoutes(app: Express, context: ApiContext): void {
  const { updates, contact, log } = context
  const api = { app, context }

  addRoute(api, CHANNEL_OPERATIONS.showChannel, async ({ principal, path }) => {
    const { channel } = await updates.showChannel(principal, path)
    return { channel }
  })

  addRoute(api, CHANNEL_OPERATIONS.changeChannel, async ({ principal, body }) => {
    const { seenChange: seen, app, channel, ...change } = body
    const place = { app, channel }
    const { changed } = await updates.setChannelPolicy(principal, { ...place, change, seen })
    if (changed) log.info(place, 'channel policy changed')
    await contact.requireConfirmed()
    const shown = await updates.showChannel(principal, place)
    return { channel: shown.channel }
  })
}
