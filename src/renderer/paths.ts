import type { ReleasePlace } from '../shared/console/releases.ts'

const OVERVIEW = '/'
const FLEET = '/fleet'
const RELEASES = '/releases'
const DEVICES = '/devices'
const APPS = '/apps'
const KEYS = '/keys'
const AUDIT = '/audit'

/** Where the screens are. */
export const paths = {
  overview: OVERVIEW,
  fleet: FLEET,
  releases: RELEASES,
  publish: `${RELEASES}/publish`,
  apps: APPS,
  keys: KEYS,
  audit: AUDIT,
  app: (ref: string) => `${APPS}/${ref}`,
  /** The list, narrowed to a channel. */
  channelReleases: (app: string, channel: string) =>
    `${RELEASES}?${new URLSearchParams({ app, channel })}`,
  /** The publish form, with its app and channel chosen. */
  publishTo: (app: string, channel: string) =>
    `${RELEASES}/publish?${new URLSearchParams({ app, channel })}`,
  release: ({ app, channel, version }: ReleasePlace) =>
    `${RELEASES}/${app}/${channel}/${encodeURIComponent(version)}`,
  // Dots alone would be read as a way up.
  device: (app: string, deviceId: string) =>
    `${DEVICES}/${app}/${encodeURIComponent(deviceId).replace(/^\.+$/, (dots) => dots.replaceAll('.', '%2E'))}`,
} as const

/** The same as patterns of the router. */
export const patterns = {
  app: `${APPS}/:app`,
  release: `${RELEASES}/:app/:channel/:version`,
} as const
