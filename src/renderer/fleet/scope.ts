import { FleetRange } from '../../shared/console/fleet.ts'

/** What the screen looks at, as its address holds it. An empty channel means all of the app. */
export interface Scope {
  readonly app: string
  readonly channel: string
  readonly range: FleetRange
}

/** Reads the scope from the address; what makes no sense there counts as not given. */
export function readScope(params: URLSearchParams): Scope {
  const range = FleetRange.safeParse(params.get('range'))
  return {
    app: params.get('app') ?? '',
    channel: params.get('channel') ?? '',
    range: range.success ? range.data : '7d',
  }
}

/** Writes a scope for the address. Defaults are left out. */
export function writeScope({ app, channel, range }: Scope): URLSearchParams {
  const parts = { app, channel, range: range === '7d' ? '' : range }
  return new URLSearchParams(Object.entries(parts).filter(([, text]) => text !== ''))
}
