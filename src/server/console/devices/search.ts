import { MAX_FOUND, SearchInput, SearchResult } from '../../../shared/console/search.ts'
import { DEVICE_ID } from '../../../shared/names.ts'
import { newestFirst } from '../../catalog/releases/show-release.ts'
import type { CatalogApp } from '../../catalog/snapshot.ts'
import { visibleApps } from '../../use-cases/principal.ts'
import type { ConsoleContext } from '../context.ts'
import { procedure, router } from '../trpc.ts'

/** Finds what the command palette does not have in memory: releases and devices of the apps that the caller sees. */
export const searchRoutes = router({
  find: procedure
    .input(SearchInput)
    .output(SearchResult)
    .query(({ ctx, input }) => ctx.searches.run(ctx.principal, () => find(ctx, input.text.trim()))),
})

async function find(ctx: ConsoleContext, text: string): Promise<SearchResult> {
  const apps = visibleApps(await ctx.catalog.refresh(), ctx.principal)
  return { releases: findReleases(apps, text), devices: await findDevices(ctx, apps, text) }
}

function findReleases(apps: readonly CatalogApp[], text: string): SearchResult['releases'] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  return apps
    .flatMap((app) => {
      const name = `${app.record.ref} ${app.record.name}`.toLowerCase()
      return [...app.channels.values()].flatMap((channel) => {
        const place = `${name} ${channel.record.name}`
        return channel.compiled.releases
          .filter(({ facts }) => matches(words, place, facts.version.toLowerCase()))
          .map(({ facts }) => ({ app, channel, facts }))
      })
    })
    .sort((one, other) => newestFirst(one.facts, other.facts))
    .slice(0, MAX_FOUND)
    .map(({ app, channel, facts }) => ({
      app: app.record.ref,
      channel: channel.record.name,
      version: facts.version,
    }))
}

function matches(words: readonly string[], place: string, version: string): boolean {
  return (
    words.some((word) => version.includes(word)) &&
    words.every((word) => version.includes(word) || place.includes(word))
  )
}

async function findDevices(
  ctx: ConsoleContext,
  apps: readonly CatalogApp[],
  text: string,
): Promise<SearchResult['devices']> {
  if (!DEVICE_ID.test(text)) return []
  const refs = new Map(apps.map(({ record }) => [record.key, record.ref]))
  const found = await ctx.fleet.devicesBeginning([...refs.keys()], text, MAX_FOUND)
  return found.flatMap(({ appKey, deviceId }) => {
    const app = refs.get(appKey)
    return app === undefined ? [] : [{ app, deviceId }]
  })
}
