import { FleetRange } from '../../shared/console/fleet.ts'
import { readChoice, readText, writeParams } from '../components/list/address-filters.ts'
import type { DeviceFilters } from '../paths.ts'

/** What the screen looks at, as its address holds it. An empty channel means all of the app. */
export interface Scope {
  readonly app: string
  readonly channel: string
  readonly range: FleetRange
}

/** Returns the devices of the scope, seen within its range, for the list of devices. */
export function devicesOf({ app, channel, range }: Scope): DeviceFilters {
  return { app, seen: range, ...(channel === '' ? {} : { channel }) }
}

/** Reads the scope from the address; what makes no sense there counts as not given. */
export function readScope(params: URLSearchParams): Scope {
  return {
    app: readText(params, 'app'),
    channel: readText(params, 'channel'),
    range: readChoice(params, 'range', FleetRange, '7d'),
  }
}

/** Writes a scope for the address. Defaults are left out. */
export function writeScope(scope: Scope): URLSearchParams {
  return writeParams(scope, { range: '7d' })
}
