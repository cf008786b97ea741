import { createApp, createChannel, setChannelPolicy } from '../server/catalog/apps.ts'
import { type Catalog, requireApp, requireChannel } from '../server/catalog/catalog.ts'
import { mintKey, revokeKey } from '../server/catalog/keys.ts'
import { publishRelease } from '../server/catalog/publish.ts'
import { changeServing } from '../server/catalog/serving.ts'
import type { CatalogChannel } from '../server/catalog/snapshot.ts'
import { PublishBody } from '../shared/release.ts'
import { artifactsOf } from './artifact-files.ts'
import { type Period, workingTime } from './calendar.ts'
import {
  ACTORS,
  type ActorName,
  type AppStory,
  type KeyStory,
  PIPELINE,
  type ReleaseStory,
} from './story/story.ts'
import { APPS, KEYS } from './story/studio.ts'

/** Milliseconds between two steps of the story at least: people do one thing after the other. */
const APART = 20_000

/** One thing that somebody at the studio does. */
export interface TimelineStep {
  /** Unix milliseconds. */
  readonly at: number
  run(catalog: Catalog): Promise<void>
}

interface Plan {
  readonly at: number
  readonly by: ActorName
  run(catalog: Catalog): Promise<void>
}

export interface TimelineOptions {
  readonly period: Period
  /** Where the files of releases are. */
  readonly downloads: string
  /** Takes the secret of a key that was minted. */
  readonly onKey: (name: string, secret: string) => void
}

/** The whole story in the order in which it happens, each step after the one before. */
export function timeline({ period, downloads, onKey }: TimelineOptions): TimelineStep[] {
  const timeOf = workingTime(period)
  const plans = [
    ...APPS.flatMap(founding),
    ...KEYS.flatMap((key) => keyPlans(key, onKey)),
    ...APPS.flatMap((app) => app.releases.flatMap((it) => releasePlans(app, it, downloads))),
    ...APPS.flatMap(policyPlans),
  ]
  let last = period.start - APART
  return plans
    .toSorted((one, other) => one.at - other.at)
    .map((plan) => {
      last = Math.max(timeOf(plan.at), last + APART)
      return { at: last, run: (catalog) => act(catalog, plan) }
    })
}

async function act(catalog: Catalog, { by, run }: Plan): Promise<void> {
  await run(catalog)
  if (by !== 'pipeline') return
  const keyId = catalog.snapshot.apiKeys.find(({ name }) => name === PIPELINE)?.id
  if (keyId !== undefined) await catalog.store.recordKeyUse([{ keyId, at: catalog.timestamp() }])
}

function founding({ ref, name, channels: [, ...others] }: AppStory): Plan[] {
  const create = async (catalog: Catalog) =>
    void (await createApp(catalog, ACTORS.mara, { ref, name }))
  return [
    { at: 0, by: 'mara', run: create },
    ...others.map((channel): Plan => {
      const input = { app: ref, name: channel.name }
      const run = async (catalog: Catalog) =>
        void (await createChannel(catalog, ACTORS.mara, input))
      return { at: 0, by: 'mara', run }
    }),
  ]
}

function keyPlans(key: KeyStory, onKey: TimelineOptions['onKey']): Plan[] {
  const { at, by, name, scopes, app, revoked } = key
  let prefix = ''
  const mint = async (catalog: Catalog) => {
    const minted = await mintKey(catalog, ACTORS[by], { name, scopes, app })
    prefix = minted.key.prefix
    if (revoked === undefined) onKey(name, minted.secret)
  }
  if (revoked === undefined) return [{ at, by, run: mint }]
  const revoke = async (catalog: Catalog) =>
    void (await revokeKey(catalog, ACTORS[revoked.by], prefix))
  return [
    { at, by, run: mint },
    { ...revoked, run: revoke },
  ]
}

function releasePlans(app: AppStory, release: ReleaseStory, downloads: string): Plan[] {
  const { at, channel, version, notes, rolloutPct, targets = {}, changes = [] } = release
  const by = at === 0 ? 'mara' : 'pipeline'
  const publish = async (catalog: Catalog) => {
    const artifacts = artifactsOf(app, version, downloads)
    const place = { app: app.ref, channel, version }
    const body = PublishBody.parse({ ...place, notes, rolloutPct, targets, artifacts })
    await publishRelease(catalog, ACTORS[by], channelOf(catalog, app.ref, channel), body)
  }
  return [
    { at, by, run: publish },
    ...changes.map(({ at, by, ...change }): Plan => {
      const run = async (catalog: Catalog) => {
        const place = channelOf(catalog, app.ref, channel)
        await changeServing(catalog, ACTORS[by], place, version, change)
      }
      return { at, by, run }
    }),
  ]
}

function policyPlans({ ref, policies }: AppStory): Plan[] {
  return policies.map(({ at, by, channel, policy }) => {
    const input = { app: ref, channel, change: policy }
    const run = async (catalog: Catalog) =>
      void (await setChannelPolicy(catalog, ACTORS[by], input))
    return { at, by, run }
  })
}

function channelOf(catalog: Catalog, app: string, channel: string): CatalogChannel {
  return requireChannel(requireApp(catalog.snapshot, app), channel)
}
