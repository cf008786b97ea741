import { type RequestHandler, Router } from 'express'
import { type Overview, WALL_PATH, Wall, type WallRelease } from '../../shared/console/overview.ts'
import type { PlanCalendar } from '../../shared/console/releases/plans.ts'
import { forPrincipal } from '../console/context.ts'
import { consoleRouter } from '../console/router.ts'
import { principalOf, requireKey } from '../http/request/auth.ts'
import { VERSION } from '../runtime/version.ts'
import { reached, type WebConsoleParts } from './caller.ts'

/** Answers screens on a wall, by keys of the scope `wall`, which reach nothing else. */
export function createWall(parts: WebConsoleParts): RequestHandler {
  const routes = Router({ strict: true })
  routes.get(
    `/${WALL_PATH}`,
    (request, response, next) => {
      reached(request, parts)
      response.set('Cache-Control', 'no-store')
      next()
    },
    requireKey(parts.api, 'wall'),
    async (request, response) => {
      const console = consoleRouter.createCaller(
        forPrincipal(parts.console(), principalOf(request)),
      )
      const [overview, { plans }] = await Promise.all([
        console.overview.get(),
        console.plans.calendar(),
      ])
      response.json(Wall.parse({ server: VERSION, ...wallOf(overview, plans) }))
    },
  )
  return routes
}

function wallOf({ apps, attention }: Overview, plans: PlanCalendar['plans']): Omit<Wall, 'server'> {
  const failing = new Set(attention.failing.map(placeName))
  const states = new Map(plans.map((plan) => [placeName(plan), plan]))
  const shown = apps.filter(({ archived }) => !archived)
  return {
    at: new Date().toISOString(),
    apps: shown.map(({ ref, name, channels }) => ({
      ...{ ref, name },
      channels: channels.map(({ name: channel, seenLast7Days, shareUpToDate, live }) => ({
        ...{ name: channel, seenLast7Days, shareUpToDate },
        live: live.map((release) => {
          const place = placeName({ app: ref, channel, version: release.version })
          const planned = states.get(place)
          const health = planned?.health ?? release.health
          return { ...release, health, failing: failing.has(place), plan: planOf(planned) }
        }),
      })),
    })),
  }
}

function planOf(planned: PlanCalendar['plans'][number] | undefined): WallRelease['plan'] {
  if (planned === undefined) return null
  const { plan, status, step, next } = planned.state
  const { steps, holdoutPct } = plan
  return { plan: { steps, holdoutPct }, status, step, next }
}

function placeName(place: Readonly<Record<'app' | 'channel' | 'version', string>>): string {
  return `${place.app}/${place.channel}/${place.version}`
}
