import { setTimeout as wait } from 'node:timers/promises'
import type { RunningServer } from '../server/compose/running-server.ts'
import type { PlanState } from '../shared/plans/plan-state.ts'
import type { DemoClock } from './clock.ts'
import { live } from './course.ts'
import type { DemoFolder } from './folder.ts'
import { checkInOverHttp } from './http-check-in.ts'
import { QUIETEST } from './present.ts'
import { APPS } from './story/studio.ts'
import { liveTimeline, principalOf } from './timeline.ts'

/** Hours that pass while somebody watches. Shorter than a browser's session lasts without use. */
export const LIVE_HOURS = 8
const HOUR = 3_600_000
/** Milliseconds between two looks at rollout plans. */
const LOOK_EVERY = 300_000

/** A plan of the live hours that went on. */
export interface PlanEvent {
  readonly app: string
  readonly channel: string
  readonly version: string
  readonly state: PlanState
}

export interface LiveHoursOptions {
  /** The past of the server's folder. */
  readonly made: Pick<DemoFolder, 'devices' | 'end'>
  /** The one that the server was started with. It stands at the end of the past. */
  readonly clock: DemoClock
  /** Base URL of the files of releases. */
  readonly downloads: string
  /** How many times faster than usual time passes; Infinity for as fast as check-ins are answered. */
  readonly speed: number
  /** The time at which they end, asked again and again: that of this computer by default. Unix milliseconds. */
  readonly until?: () => number
  readonly onEvent?: (event: PlanEvent) => void
  readonly signal?: AbortSignal
}

/**
 * Lives through the hours since the end of the past, over HTTP: releases are published with plans, and the server rolls them
 * out or stops them by its own judgement. The clock follows that of this computer afterwards. Rejects with the signal's reason.
 */
export async function liveHours(server: RunningServer, options: LiveHoursOptions): Promise<void> {
  const { made, clock, downloads, speed, until = Date.now, onEvent } = options
  const { signal = new AbortController().signal } = options
  const { devices, end: start } = made
  const began = performance.now()
  await live(server, {
    devices,
    steps: liveTimeline(start, downloads),
    start,
    end: until,
    setClock: (at) => clock.set(at),
    checkIn: checkInOverHttp(server.address, signal),
    quietest: QUIETEST,
    lookEvery: LOOK_EVERY,
    ...(onEvent && { onLook: planWatch(server, options, onEvent) }),
    async pace(at) {
      signal.throwIfAborted()
      const left = began + (at - start) / speed - performance.now()
      if (left > 0) await wait(left, undefined, { signal }).catch(() => signal.throwIfAborted())
    },
  })
  clock.follow()
}

/** Returns what looks at the plans of the live hours, and tells of each that went on since the last look. */
function planWatch(
  { updates }: RunningServer,
  { made, clock }: Pick<LiveHoursOptions, 'made' | 'clock'>,
  onEvent: (event: PlanEvent) => void,
): () => Promise<void> {
  const releases = APPS.flatMap(({ ref: app, live }) =>
    live.map(({ channel = 'stable', version, hour }) => ({
      place: { app, channel, version },
      at: made.end + hour * HOUR,
    })),
  )
  const seen = new Map<string, string>()
  const reader = principalOf('mara')
  return async () => {
    for (const { place } of releases.filter(({ at }) => at <= clock.now())) {
      const { plan: state } = await updates.getPlan(reader, place)
      if (state === null) continue
      const is = `${state.status} ${state.step}`
      if (seen.get(place.version) === is) continue
      seen.set(place.version, is)
      onEvent({ ...place, state })
    }
  }
}
