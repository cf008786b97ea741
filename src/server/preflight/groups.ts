import { canonicalArch, canonicalPlatform } from '../../shared/devices/aliases.ts'
import { OTHER } from '../../shared/devices/counting.ts'
import type { CandidateTrace } from '../../shared/devices/explanation.ts'
import type { UpdaterClient } from '../../shared/files/updater.ts'
import type { LabelMap } from '../../shared/names.ts'
import type { CatalogChannel } from '../catalog/snapshot.ts'
import type { ScannedDevice } from '../fleet/facts.ts'
import { NO_LABELS } from '../fleet/labels.ts'
import type { CompiledChannel } from '../rules/decision/channel.ts'
import { type DeviceFacts, isDeviceKey } from '../rules/decision/device.ts'
import type { ParsedVersion } from '../rules/decision/version.ts'

/** A device as its updater asks. Platform and arch are canonical. */
export type AskingDevice = Pick<
  DeviceFacts,
  'deviceId' | 'version' | 'platform' | 'arch' | 'bundle' | 'labels'
>

export interface ClientAnswer {
  /** Of HTTP. */
  readonly status: number
  /** Empty for none. */
  readonly body: string
  /** The version that it is offered; null for none. */
  readonly offered: ParsedVersion | null
  /** True if that is below the version that the device runs. */
  readonly allowDowngrade: boolean
  /** Why, as `decide` traces it. */
  readonly candidates: readonly CandidateTrace[]
}

/** Answers a device of a channel as the update check or the feed of its updater does; records nothing. */
export type AskFeed = (
  channel: CatalogChannel,
  client: UpdaterClient,
  device: AskingDevice,
) => ClientAnswer

/** Devices that are alike in what decides which release they are offered. */
export interface DeviceGroup {
  readonly version: string
  /** Canonical, as `arch`. */
  readonly platform: string
  readonly arch: string
  /** Those that the channel reads. */
  readonly labels: LabelMap
  /** The ID, if targets name it; null otherwise. */
  readonly deviceId: string | null
  /** The ID of one of them; null without any. */
  readonly example: string | null
  devices: number
}

/** Most groups that are counted separately: anybody can send labels. */
const MAX_GROUPS = 50_000

/** What the targets and floors of a channel read of devices. */
export interface ReadFacts {
  readonly labels: readonly string[]
  readonly deviceIds: ReadonlySet<string>
}

/** Returns the labels and IDs that can change which published release a device is offered. */
export function factsReadBy({ published, hasFloors }: CompiledChannel): ReadFacts {
  const requirements = published.flatMap(({ targets }) => targets?.requirements ?? [])
  const labels = requirements.map(({ key }) => key).filter((key) => !isDeviceKey(key))
  const ids = requirements.filter(({ key }) => key === 'device.id')
  return {
    labels: [...new Set([...labels, ...(hasFloors ? ['os'] : [])])],
    deviceIds: new Set(ids.flatMap(({ comparable }) => [...comparable])),
  }
}

/** Counts devices by what a channel reads of them. */
export class GroupTally {
  readonly #read: ReadFacts
  readonly #groups = new Map<string, DeviceGroup>()
  #devices = 0
  #unknown = 0

  constructor(read: ReadFacts) {
    this.#read = read
  }

  /** Devices looked at until now. */
  get devices(): number {
    return this.#devices
  }

  /** Those whose version or system is not known, and those beyond `MAX_GROUPS`. */
  get unknown(): number {
    return this.#unknown
  }

  add(device: ScannedDevice): void {
    this.#devices++
    const { version, platform, arch } = device.profile
    const isKnown = [version, platform, arch].every((each) => each !== OTHER && each !== '')
    if (isKnown && this.#count(device)) return
    this.#unknown++
  }

  /** Those of most devices first. */
  groups(): DeviceGroup[] {
    return [...this.#groups.values()].sort((one, other) => other.devices - one.devices)
  }

  #count(device: ScannedDevice): boolean {
    const { labels: names, deviceIds } = this.#read
    const { version, platform, arch } = device.profile
    // Most channels look at no label: then none is read.
    const all = names.length === 0 ? NO_LABELS : device.labels
    const own = names.flatMap((name): [string, string][] => {
      const value = Object.hasOwn(all, name) ? all[name] : undefined
      return value === undefined ? [] : [[name, value]]
    })
    const deviceId = deviceIds.has(device.deviceId) ? device.deviceId : null
    const key = JSON.stringify([version, platform, arch, own, deviceId])
    const known = this.#groups.get(key)
    if (known !== undefined) {
      known.devices++
      return true
    }
    if (this.#groups.size >= MAX_GROUPS) return false
    const system = { platform: canonicalPlatform(platform), arch: canonicalArch(arch) }
    const labels = Object.fromEntries(own)
    const { deviceId: example } = device
    this.#groups.set(key, { version, ...system, labels, deviceId, example, devices: 1 })
    return true
  }
}
