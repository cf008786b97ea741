import type { Actor } from '../../server/catalog/audit-log.ts'
import type { Scope } from '../../shared/access/key.ts'
import { Plan } from '../../shared/plans/plan.ts'
import type { ChannelPolicy } from '../../shared/releases/channel.ts'
import type { ReleaseStatus } from '../../shared/releases/release.ts'
import type { Targets } from '../../shared/releases/targets.ts'

// The demo's studio: what its people did with three apps. Positions (`at`) are percent of the
// working time in the demo's period, so that the same story fits into any number of days.

export const PIPELINE = 'Release pipeline'

/** The people and the computer that act in the story. */
export const ACTORS = {
  mara: { kind: 'console', name: 'mara' },
  jonas: { kind: 'console', name: 'jonas' },
  terminal: { kind: 'command_line', name: 'mara' },
  pipeline: { kind: 'key', name: PIPELINE },
} as const satisfies Record<string, Actor>
export type ActorName = keyof typeof ACTORS

export interface ServingStep {
  readonly at: number
  readonly by: ActorName
  readonly rolloutPct?: number
  readonly status?: ReleaseStatus
  readonly targets?: Targets
}

/** A fault of a release: an app that meets it reports it, and stays on its version. */
export interface ReleaseFailure {
  /** Share of the devices, 0 to 1. */
  readonly share: number
  /** What the app reports. */
  readonly detail: string
}

export interface ReleaseStory {
  readonly at: number
  /** `stable` by default. */
  readonly channel?: string
  readonly version: string
  /** 100 by default; 0 with a plan. */
  readonly rolloutPct?: number
  readonly targets?: Targets
  /** By which it is rolled out, from 0%. */
  readonly plan?: Plan
  /** What goes wrong with it on some devices. */
  readonly failure?: ReleaseFailure
  /** Markdown. */
  readonly notes: string
  /** What became of it, in order. */
  readonly changes?: readonly ServingStep[]
}

/** A release of the hours that pass while somebody watches. */
export interface LiveRelease extends Omit<ReleaseStory, 'at' | 'rolloutPct' | 'changes'> {
  /** Hours after those hours begin. */
  readonly hour: number
  readonly by: ActorName
}

export interface PolicyStep {
  readonly at: number
  readonly by: ActorName
  readonly channel: string
  readonly policy: Partial<ChannelPolicy>
}

export interface PlatformShare {
  readonly platform: string
  readonly arch: string
  readonly weight: number
}

export interface ChannelShare {
  readonly name: string
  readonly weight: number
  /** What devices run that were there before the first release. Only on `stable`, some do. */
  readonly before?: readonly string[]
}

/** How the devices of an app are used; see `Rhythm`. */
export interface RhythmShare {
  readonly name: 'office' | 'home' | 'always'
  readonly weight: number
}

/** One app of the studio, with the devices that it has. */
export interface AppStory {
  readonly ref: string
  readonly name: string
  /** Share of all devices. */
  readonly weight: number
  /** The first is the one that comes with the app. */
  readonly channels: readonly ChannelShare[]
  readonly platforms: readonly PlatformShare[]
  readonly rhythms: readonly RhythmShare[]
  /** Files of a release: platform, arch, and how the file's name ends. */
  readonly files: readonly (readonly [platform: string, arch: string, ending: string])[]
  readonly releases: readonly ReleaseStory[]
  readonly policies: readonly PolicyStep[]
  /** What is released while somebody watches. */
  readonly live: readonly LiveRelease[]
  /** Days of the calendar on which plans apply no step. */
  readonly freezes?: readonly FreezeStory[]
}

/** Days from the end of the past. */
export interface FreezeStory {
  readonly name: string
  readonly first: number
  readonly last: number
}

export interface KeyStory {
  readonly at: number
  readonly by: ActorName
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly app?: string
  readonly revoked?: { readonly at: number; readonly by: ActorName }
}

/** Every release of an app. */
export function releasesOf({
  releases,
  live,
}: AppStory): readonly Pick<ReleaseStory, 'version' | 'failure'>[] {
  return [...releases, ...live]
}

/** A ramp in steps by one actor: `[position, percent]` each. */
export function ramp(
  by: ActorName,
  ...steps: readonly (readonly [at: number, rolloutPct: number])[]
): ServingStep[] {
  return steps.map(([at, rolloutPct]) => ({ at, by, rolloutPct }))
}

/** A plan of steps: percent, and the hours after it. */
export function soaking(
  ...steps: readonly (readonly [rolloutPct: number, soakHours: number])[]
): Plan {
  return Plan.parse({ steps: steps.map(([rolloutPct, soakHours]) => ({ rolloutPct, soakHours })) })
}

/** Targets of devices whose label `ring` is one of these. */
export function rings(...ring: string[]): Targets {
  return { matchLabels: { ring }, matchExpressions: [] }
}

/** Targets of devices that run a version in that range: what is below takes another release first. */
export function from(range: string): Targets {
  return {
    matchLabels: {},
    matchExpressions: [{ key: 'device.version', operator: 'VersionIn', values: [range] }],
  }
}
