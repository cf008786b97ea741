import { OTHER } from '../../../shared/devices/counting.ts'
import { compareVersions, parseVersion } from '../../rules/decision/version.ts'
import type { ChannelTraffic, VersionPresence } from '../facts.ts'

/** Devices, and how many of them were seen recently. Days are UTC days, today included. */
export interface Presence {
  readonly devices: number
  readonly seenToday: number
  readonly seenLast7Days: number
  readonly seenLast30Days: number
}

/** Check-ins of the last 24 full hours and the current one. */
export type Traffic = Omit<ChannelTraffic, 'channel'>

export interface VersionSummary extends Presence {
  /** `OTHER` for all versions that are counted as other. */
  readonly version: string
  /** Of the devices of the app, 0 to 1. */
  readonly share: number
}

export interface ChannelSummary extends Presence {
  readonly channel: string
  readonly last24Hours: Traffic
  /** Newest version first, `OTHER` last. */
  readonly versions: readonly VersionSummary[]
}

export interface FleetSummary extends Presence {
  readonly last24Hours: Traffic
  /** Every channel of the app, in the order of `traffic`. */
  readonly channels: readonly ChannelSummary[]
}

/** Adds up the counters of an app. */
export function summarise(
  versions: readonly VersionPresence[],
  traffic: readonly ChannelTraffic[],
): FleetSummary {
  const total = presenceOf(versions)
  const byChannel = Map.groupBy(versions, ({ channel }) => channel)
  const channels = traffic.map(({ channel, ...last24Hours }): ChannelSummary => {
    const present = byChannel.get(channel) ?? []
    return { channel, ...presenceOf(present), last24Hours, versions: sharesOf(present, total) }
  })
  const last24Hours = {
    checkIns: sum(traffic, ({ checkIns }) => checkIns),
    anonymous: sum(traffic, ({ anonymous }) => anonymous),
    offers: sum(traffic, ({ offers }) => offers),
  }
  return { ...total, last24Hours, channels }
}

function sharesOf(present: readonly VersionPresence[], total: Presence): VersionSummary[] {
  return present
    .toSorted((a, b) => compareRunning(b.version, a.version))
    .map(({ channel: _, version, ...presence }) => {
      return { version, share: presence.devices / total.devices, ...presence }
    })
}

function presenceOf(versions: readonly VersionPresence[]): Presence {
  return {
    devices: sum(versions, ({ devices }) => devices),
    seenToday: sum(versions, ({ seenToday }) => seenToday),
    seenLast7Days: sum(versions, ({ seenLast7Days }) => seenLast7Days),
    seenLast30Days: sum(versions, ({ seenLast30Days }) => seenLast30Days),
  }
}

/** Adds up what each item has. */
export function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}

/** Orders the versions of profiles: `OTHER` is the lowest. */
export function compareRunning(a: string, b: string): number {
  if (a === OTHER || b === OTHER) return Number(b === OTHER) - Number(a === OTHER)
  return compareVersions(parseVersion(a), parseVersion(b))
}
