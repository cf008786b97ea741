import { days } from '../server/fleet/time.ts'
import { FULL_ACCESS } from '../server/use-cases/access.ts'
import type { Principal } from '../server/use-cases/principal.ts'
import type { Updates } from '../server/use-cases/updates.ts'
import { Freeze } from '../shared/plans/freeze.ts'
import { PublishBody } from '../shared/releases/release.ts'
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
const HOUR = 3_600_000

/** One action of the studio. */
export interface TimelineStep {
  /** Unix milliseconds. */
  readonly at: number
  /** Whether a rollout plan runs from then on. */
  readonly beginsPlan: boolean
  run(updates: Updates): Promise<void>
}

interface Plan {
  readonly at: number
  readonly by: ActorName
  readonly beginsPlan?: boolean
  run(updates: Updates): Promise<void>
}

export interface TimelineOptions {
  readonly period: Period
  /** Base URL of the files of releases. */
  readonly downloads: string
  /** Called with the secret of each key that is minted and not revoked later. */
  readonly onKey: (name: string, secret: string) => void
}

/** Returns the steps of the story in order of time. No two have the same time. */
export function timeline({ period, downloads, onKey }: TimelineOptions): TimelineStep[] {
  const timeOf = workingTime(period)
  const keyIds = new Map<string, number>()
  const onMint = (name: string, keyId: number, secret: string | undefined) => {
    keyIds.set(name, keyId)
    if (secret !== undefined) onKey(name, secret)
  }
  const plans = [
    ...APPS.flatMap(founding),
    ...KEYS.flatMap((key) => keyPlans(key, onMint)),
    ...APPS.flatMap((app) => app.releases.flatMap((it) => releasePlans(app, it, downloads))),
    ...APPS.flatMap(policyPlans),
    ...APPS.flatMap((app) => freezePlans(app, period.end)),
  ]
  let last = period.start - APART
  return plans
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, by, beginsPlan = false, run }) => {
      last = Math.max(timeOf(at), last + APART)
      const act = async (updates: Updates) => {
        await run(updates)
        const keyId = by === 'pipeline' ? keyIds.get(PIPELINE) : undefined
        if (keyId !== undefined) updates.noteKeyUse(keyId)
      }
      return { at: last, beginsPlan, run: act }
    })
}

/** One of the studio's people, or its pipeline. */
export function principalOf(name: ActorName): Principal {
  return { actor: ACTORS[name], access: FULL_ACCESS, seesArchived: false }
}

function founding({ ref, name, channels: [, ...others] }: AppStory): Plan[] {
  const mara = principalOf('mara')
  const create = async (updates: Updates) => void (await updates.createApp(mara, { ref, name }))
  return [
    { at: 0, by: 'mara', run: create },
    ...others.map((channel): Plan => {
      const input = { app: ref, name: channel.name }
      const run = async (updates: Updates) => void (await updates.createChannel(mara, input))
      return { at: 0, by: 'mara', run }
    }),
  ]
}

/** `onMint` gets the secret of a key that is never revoked. */
function keyPlans(
  key: KeyStory,
  onMint: (name: string, keyId: number, secret: string | undefined) => void,
): Plan[] {
  const { at, by, name, scopes, app, revoked } = key
  let prefix = ''
  const mint = async (updates: Updates) => {
    const minted = await updates.mintKey(principalOf(by), { name, scopes, app })
    prefix = minted.key.prefix
    onMint(name, minted.key.id, revoked === undefined ? minted.secret : undefined)
  }
  if (revoked === undefined) return [{ at, by, run: mint }]
  const revoke = async (updates: Updates) =>
    void (await updates.revokeKey(principalOf(revoked.by), prefix))
  return [
    { at, by, run: mint },
    { ...revoked, run: revoke },
  ]
}

/** Returns what is released in the hours from `start` on (Unix milliseconds), in order of time. */
export function liveTimeline(start: number, downloads: string): TimelineStep[] {
  return APPS.flatMap((app) =>
    app.live.map((release) => ({
      at: start + release.hour * HOUR,
      beginsPlan: release.plan !== undefined,
      run: publishing(app, release, release.by, downloads),
    })),
  ).toSorted((one, other) => one.at - other.at)
}

function releasePlans(app: AppStory, release: ReleaseStory, downloads: string): Plan[] {
  const { at, channel = 'stable', version, plan, changes = [] } = release
  const by = at === 0 ? 'mara' : 'pipeline'
  const place = { app: app.ref, channel, version }
  const run = publishing(app, release, by, downloads)
  return [
    { at, by, beginsPlan: plan !== undefined, run },
    ...changes.map(({ at, by, ...change }): Plan => {
      const run = async (updates: Updates) =>
        void (await updates.changeServing(principalOf(by), { ...place, ...change }))
      return { at, by, run }
    }),
  ]
}

function publishing(
  app: AppStory,
  release: Omit<ReleaseStory, 'at'>,
  by: ActorName,
  downloads: string,
): TimelineStep['run'] {
  const { channel = 'stable', version, notes, targets = {}, plan } = release
  const { rolloutPct = plan === undefined ? 100 : 0 } = release
  return async (updates) => {
    const artifacts = artifactsOf(app, version, downloads)
    const place = { app: app.ref, channel, version }
    const body = PublishBody.parse({ ...place, notes, rolloutPct, targets, artifacts, plan })
    await updates.publishRelease(principalOf(by), body)
  }
}

function freezePlans({ ref, freezes = [] }: AppStory, end: number): Plan[] {
  if (freezes.length === 0) return []
  const dayOf = (later: number) => new Date(end + days(later)).toISOString().slice(0, 10)
  const set = freezes.map(({ name, first, last }) =>
    Freeze.parse({ name, firstDay: dayOf(first), lastDay: dayOf(last) }),
  )
  const run = async (updates: Updates) =>
    void (await updates.setFreezes(principalOf('mara'), { app: ref, freezes: set }))
  return [{ at: 90, by: 'mara', run }]
}

function policyPlans({ ref, policies }: AppStory): Plan[] {
  return policies.map(({ at, by, channel, policy }) => {
    const input = { app: ref, channel, change: policy }
    const run = async (updates: Updates) =>
      void (await updates.setChannelPolicy(principalOf(by), input))
    return { at, by, run }
  })
}
