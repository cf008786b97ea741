import { MAX_FOUND, SearchInput, SearchResult } from '../../../shared/console/search.ts'
import { DEVICE_ID } from '../../../shared/names.ts'
import { newestFirst } from '../../catalog/show-release.ts'
import type { Snapshot } from '../../catalog/snapshot.ts'
import type { ConsoleContext } from '../context.ts'
import { procedure, router } from '../context.ts'

/** Finds what the command palette does not have in memory: releases and devices. */
export const searchRoutes = router({
  find: procedure
    .input(SearchInput)
    .output(SearchResult)
    .query(async ({ ctx, input }) => {
      const text = input.text.trim()
      const snapshot = await ctx.catalog.refresh()
      return {
        releases: findReleases(snapshot, text),
        devices: await findDevices(ctx, snapshot, text),
      }
    }),
})

function findReleases(snapshot: Snapshot, text: string): SearchResult['releases'] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  return snapshot.apps
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

/** Ids are compared as typed, in lower case and in upper case: each is one look into the index per app. */
async function findDevices(
  ctx: ConsoleContext,
  { apps }: Snapshot,
  text: string,
): Promise<SearchResult['devices']> {
  if (!DEVICE_ID.test(text)) return []
  const refs = new Map(apps.map(({ record }) => [record.key, record.ref]))
  const prefixes = [...new Set([text, text.toLowerCase(), text.toUpperCase()])]
  const found = await ctx.fleet.devicesBeginning([...refs.keys()], prefixes, MAX_FOUND)
  return found.flatMap(({ appKey, deviceId }) => {
    const app = refs.get(appKey)
    return app === undefined ? [] : [{ app, deviceId }]
  })
}
