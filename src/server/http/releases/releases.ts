import type { Express } from 'express'
import { showRelease } from '../../catalog/releases/show-release.ts'
import type { ApiContext } from '../context.ts'
import { CHANNEL_OPERATIONS } from '../openapi/openapi-channels.ts'
import { RELEASE_OPERATIONS } from '../openapi/openapi-releases.ts'
import { addRoute } from '../request/operation-routes.ts'
import { setPlan } from './plans.ts'
import { requireReleaseName } from './release-name.ts'

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

/** `/api/v1/releases`: list, show one, its adoption, health and proof, check a version, preflight, prove, publish, manage serving. */
export function addReleaseRoutes(app: Express, context: ApiContext): void {
  const { updates, contact, log } = context
  const api = { app, context }
  const named = { ...api, check: requireReleaseName }
  const of = RELEASE_OPERATIONS

  addRoute(api, of.listReleases, async ({ principal, query: { per_page: perPage, ...query } }) => {
    const found = await updates.listReleases(principal, { ...query, perPage })
    const { page, pageCount, total } = found
    const releases = found.releases.map(({ channel, release }) => showRelease(channel, release))
    return { releases, page, pageCount, total }
  })

  addRoute(api, of.showRelease, async ({ principal, path }) => ({
    release: await updates.getRelease(principal, path),
  }))
  addRoute(api, of.showAdoption, async ({ principal, path }) => ({
    adoption: await updates.showAdoption(principal, path),
  }))
  addRoute(api, of.showHealth, async ({ principal, path }) => ({
    health: await updates.showHealth(principal, path),
  }))
  addRoute(api, of.checkVersion, async ({ principal, path }) => ({
    verdict: await updates.judgeVersion(principal, path),
  }))
  addRoute(api, of.preflightRelease, async ({ principal, path }) => ({
    preflight: await updates.preflight(principal, path),
  }))
  addRoute(api, of.proveRelease, async ({ principal, path }) => ({
    proof: await updates.startProof(principal, path),
  }))
  addRoute(api, of.showProof, async ({ principal, path }) => ({
    proof: await updates.showProof(principal, path),
  }))

  addRoute(named, of.publishRelease, async ({ principal, body }) => {
    const release = await updates.publishRelease(principal, body)
    const { app, channel, version } = release
    log.info({ app, channel, version }, 'release published')
    // Answered anyway: a repetition would be refused, and a server that does not know the release yet serves what is older.
    await contact.isConfirmed()
    return { release }
  })

  addRoute(api, of.changeServing, async ({ principal, body: { plan, ...body } }) => {
    if (plan !== undefined) return { release: await setPlan(context, principal, { ...body, plan }) }
    const { release, changed } = await updates.changeServing(principal, body)
    if (changed) {
      const { app, channel, version, rolloutPct, status } = release
      log.info({ app, channel, version, rolloutPct, status }, 'serving changed')
    }
    await contact.requireConfirmed()
    return { release }
  })
}
