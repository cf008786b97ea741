import type { DeviceSort, HealthFilter, SortOrder } from '../shared/console/devices.ts'
import { ReleaseOnChannel, type ReleasePlace } from '../shared/console/releases/releases.ts'

const OVERVIEW = '/'
const FLEET = '/fleet'
const RELEASES = '/releases'
const DRAFTS = `${RELEASES}/drafts`
const APPROVALS = '/approvals'
const CALENDAR = '/calendar'
const DEVICES = '/devices'
const APPS = '/apps'
const KEYS = '/keys'
const PEOPLE = '/people'
const WEBHOOKS = '/webhooks'
const AUDIT = '/audit'
const SETTINGS = '/settings'
const ACCOUNT = '/account'
const COMMAND_LINE = '/command-line'
const SERVERS = '/servers'

/** In an address: the server of this computer. */
export const OWN_SERVER = 'own'

/** In the address of a list: opens the dialog that adds something to it. */
export const NEW = 'new'

/** What a list of devices may be narrowed to. `search`: the beginning of an id, or `key=value`. */
export interface DeviceFilters {
  readonly app?: string
  readonly channel?: string
  readonly version?: string
  readonly platform?: string
  readonly arch?: string
  readonly seen?: string
  readonly search?: string
  /** What became of the devices that were last offered `release`, as `writePlace` wrote it. */
  readonly health?: HealthFilter
  readonly release?: string
  readonly sort?: DeviceSort
  readonly order?: SortOrder
}

/** Where the screens are. */
export const paths = {
  overview: OVERVIEW,
  fleet: FLEET,
  releases: RELEASES,
  publish: `${RELEASES}/publish`,
  drafts: DRAFTS,
  approvals: APPROVALS,
  calendar: CALENDAR,
  apps: APPS,
  keys: KEYS,
  people: PEOPLE,
  webhooks: WEBHOOKS,
  audit: AUDIT,
  settings: SETTINGS,
  account: ACCOUNT,
  commandLine: COMMAND_LINE,
  /** Open the dialogs that create an app or a key, or invite a person. */
  newApp: `${APPS}?${NEW}`,
  newKey: `${KEYS}?${NEW}`,
  newPerson: `${PEOPLE}?${NEW}`,
  webhook: (id: string) => `${WEBHOOKS}/${id}`,
  approval: (id: string) => `${APPROVALS}/${id}`,
  /** Switches to a server; null for that of this computer. */
  server: (id: string | null) => `${SERVERS}/${id ?? OWN_SERVER}`,
  app: (ref: string) => `${APPS}/${ref}`,
  /** The list, narrowed to a channel. */
  channelReleases: (app: string, channel: string) =>
    `${RELEASES}?${new URLSearchParams({ app, channel })}`,
  /** The publish form, with its app and channel chosen. */
  publishTo: (app: string, channel: string) =>
    `${RELEASES}/publish?${new URLSearchParams({ app, channel })}`,
  /** The publish form for another channel, filled in with a release. */
  copyRelease: ({ app, channel: from, version }: ReleasePlace, channel: string) =>
    `${RELEASES}/publish?${new URLSearchParams({ app, channel, from, version })}`,
  release: ({ app, channel, version }: ReleasePlace) =>
    `${RELEASES}/${app}/${channel}/${encodeURIComponent(version)}`,
  draft: ({ app, channel, version }: ReleasePlace) =>
    `${DRAFTS}/${app}/${channel}/${encodeURIComponent(version)}`,
  /** A release compared with another one of its app, by default with the one that was served before it. */
  compare: ({ app, channel, version }: ReleasePlace, other?: ReleaseOnChannel) => {
    const path = `${RELEASES}/${app}/${channel}/${encodeURIComponent(version)}/compare`
    if (other === undefined) return path
    return `${path}?${new URLSearchParams({ with: writePlace(other) })}`
  },
  /** The list of devices, narrowed. */
  devices: (filters: DeviceFilters = {}) => {
    const params = new URLSearchParams(Object.entries(filters))
    return params.size === 0 ? DEVICES : `${DEVICES}?${params}`
  },
  device: deviceAt,
  /** The page of a device, with its decision as if it asked on that channel with that updater. */
  explain: (app: string, deviceId: string, asks: { channel: string; client: string }) =>
    `${deviceAt(app, deviceId)}?${new URLSearchParams(asks)}`,
} as const

/** Dots alone would be read as a way up. The router decodes `%2F` twice: `deviceIdOf` undoes the rest. */
function deviceAt(app: string, deviceId: string): string {
  const encoded = encodeURIComponent(deviceId.replaceAll('%', '%25'))
  return `${DEVICES}/${app}/${encoded.replace(/^\.+$/, (dots) => dots.replaceAll('.', '%2E'))}`
}

/** Writes a release of a known app for an address: `stable/2.1.0`. */
export function writePlace({ channel, version }: ReleaseOnChannel): string {
  return `${channel}/${version}`
}

/** Reads what `writePlace` wrote; undefined for anything else. The name of a channel has no slash. */
export function readPlace(written: string | null): ReleaseOnChannel | undefined {
  const [, channel, version] = /^([^/]+)\/(.+)$/.exec(written ?? '') ?? []
  const read = ReleaseOnChannel.safeParse({ channel, version })
  return read.success ? read.data : undefined
}

/** The id in the address of a device's page, from what the router read there. */
export function deviceIdOf(param: string): string {
  return param.replaceAll('%25', '%')
}

/** The same as patterns of the router. */
export const patterns = {
  approval: `${APPROVALS}/:id`,
  webhook: `${WEBHOOKS}/:id`,
  server: `${SERVERS}/:server`,
  app: `${APPS}/:app`,
  release: `${RELEASES}/:app/:channel/:version`,
  draft: `${DRAFTS}/:app/:channel/:version`,
  compare: `${RELEASES}/:app/:channel/:version/compare`,
  device: `${DEVICES}/:app/:deviceId`,
  /** Where the server sends who comes back from the identity provider and is refused. */
  signOnRefused: '/sign-on/:refusal',
} as const
