import type { Check } from '../check/answering.ts'
import { createCheck } from '../check/check.ts'
import type { ApiContext } from '../context.ts'
import { ELECTRON } from './electron.ts'
import { createFeedCheck } from './feed-check.ts'
import { SPARKLE } from './sparkle.ts'
import { SQUIRREL } from './squirrel.ts'
import { VELOPACK } from './velopack.ts'

/** The feeds of updater clients. */
export const FEEDS = [ELECTRON, SQUIRREL, SPARKLE, VELOPACK] as const

/** What answers devices: without a key, ahead of Express where the request is plain. */
export interface DeviceChecks {
  /** The update check, under `/u/`. */
  readonly check: Check
  /** The feeds of other updater clients, by the beginning of their paths, such as `/electron/`. */
  readonly feeds: ReadonlyMap<string, Check>
}

export function createDeviceChecks(context: ApiContext): DeviceChecks {
  return {
    check: createCheck(context),
    feeds: new Map(FEEDS.map((format) => [format.path, createFeedCheck(context, format)])),
  }
}

/** Returns what answers a path; undefined for one that is not of a device. */
export function checkFor({ check, feeds }: DeviceChecks, url: string): Check | undefined {
  if (url.startsWith('/u/')) return check
  const end = url.indexOf('/', 1)
  return end < 0 ? undefined : feeds.get(url.slice(0, end + 1))
}
