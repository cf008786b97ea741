import type { PreflightReport } from '../../shared/releases/preflight.ts'
import { requireRelease } from '../catalog/catalog.ts'
import type { ReleaseRecord } from '../catalog/records.ts'
import type { CatalogChannel } from '../catalog/snapshot.ts'
import { compileChannel } from '../rules/decision/compile.ts'
import { compareVersions, parseVersion } from '../rules/decision/version.ts'
import { type Installed, NEVER_DOWN } from './clients/clients.ts'
import type { Fault } from './clients/reading.ts'
import { type KnownFiles, NO_FILES } from './files/continuity.ts'
import { fileOf } from './files/inside.ts'
import { Findings, verdictOf } from './findings.ts'
import type { AskFeed, AskingDevice, DeviceGroup } from './groups.ts'
import { installedBy, releasedBefore } from './released.ts'
import { type ChangedBytes, ENDS, type End, type Trial, walk } from './walk.ts'

/** Most groups that are checked, those of most devices first. */
const MAX_CHECKED = 2_000

/** What a report says of devices and findings. */
export type Judgement = Omit<
  PreflightReport,
  'app' | 'channel' | 'version' | 'status' | 'checkedAt' | 'inspected' | 'notInspected'
>

/** Returns the channel as it would be with a release for all of its targets. */
export function trialOf(
  channel: CatalogChannel,
  tried: ReleaseRecord,
  ask: AskFeed,
  files: KnownFiles = NO_FILES,
  changed: ChangedBytes = () => undefined,
): Trial {
  const { policy, releases } = channel.compiled
  const others = releases.map(({ facts }) => facts).filter(({ id }) => id !== tried.id)
  const served: ReleaseRecord = { ...tried, status: 'published', rolloutPct: 100, openPct: null }
  const after = { ...channel, compiled: compileChannel(policy, [...others, served]) }
  return { channel: after, release: requireRelease(after, tried.version), ask, files, changed }
}

/** Checks a release of a channel, on which it is tried, for groups of devices and for versions released before `now` (Unix ms). */
export class Judge {
  readonly #trial: Trial
  readonly #findings = new Findings()
  readonly #ends: Record<End, number> = { reached: 0, beyond: 0, not_targeted: 0, refused: 0 }
  readonly #reached = new Map<
    string,
    { device: AskingDevice; installed: Installed; devices: number; example: string | null }
  >()
  readonly #groups: readonly DeviceGroup[]
  readonly #unchecked: number
  readonly #download = { devices: 0, bytes: 0, changed: 0 }

  constructor(trial: Trial, groups: readonly DeviceGroup[], now: number) {
    this.#trial = trial
    const checked = groups.slice(0, MAX_CHECKED)
    this.#unchecked = sumOf(groups.slice(MAX_CHECKED))
    this.#groups = [...checked, ...releasedBefore(trial, checked, now)]
  }

  /** Groups, and versions that no device runs. */
  get size(): number {
    return this.#groups.length
  }

  /** Checks one after the other; yields after each. */
  *run(): Generator<void, void> {
    for (const group of this.#groups) {
      this.#check(group)
      yield
    }
    this.#checkRollback()
  }

  /** `unknown`: devices that are in no group. */
  result(unknown: number): Judgement {
    const findings = this.#findings.list()
    const { reached, beyond, not_targeted: notTargeted, refused } = this.#ends
    const withDevices = this.#groups.filter(({ devices }) => devices > 0).length
    return {
      verdict: verdictOf(findings),
      devices: reached + beyond + notTargeted + refused + unknown + this.#unchecked,
      ...{ reaching: reached, refusing: refused, beyond, notTargeted },
      unknown: unknown + this.#unchecked,
      download: this.#download,
      groups: withDevices,
      releasedVersions: this.#groups.length - withDevices,
      findings,
    }
  }

  #check(group: DeviceGroup): void {
    const { platform, arch, labels, deviceId, devices, example } = group
    const version = parseVersion(group.version)
    let end: End = 'reached'
    const faults = new Map<Installed['client'], Fault[]>()
    for (const installed of installedBy(this.#trial, group)) {
      const { client, bundle } = installed
      const device = { deviceId, version, platform, arch, bundle, labels }
      const found = walk(this.#trial, installed, device)
      if (ENDS.indexOf(found.end) > ENDS.indexOf(end)) end = found.end
      // A device has one of the bundles, so that what is wrong with several counts once.
      const known = faults.get(client) ?? []
      // A system that nobody has is not unknown.
      const own = found.faults.filter(({ code }) => devices > 0 || code !== 'system_unknown')
      faults.set(client, [...known, ...own])
      if (found.end === 'reached') this.#remember(device, installed, group)
    }
    this.#ends[end] += devices
    if (end === 'reached') this.#addDownload(group)
    for (const [client, each] of faults) {
      const once = new Map(each.map((fault) => [JSON.stringify(fault), fault]))
      const concerned = { client, platform, arch, version: version.text, devices, example }
      this.#findings.add([...once.values()], concerned)
    }
  }

  #addDownload(group: DeviceGroup): void {
    const { release, changed } = this.#trial
    const [installed] = installedBy(this.#trial, group)
    if (installed === undefined) return
    const { client, bundle } = installed
    const { platform, arch, labels, deviceId, devices } = group
    const device = { deviceId, version: release.version, platform, arch, bundle, labels }
    const file = fileOf({ client, device }, release)
    if (file === undefined || file.size === 0) return
    this.#download.devices += devices
    this.#download.bytes += devices * file.size
    const part = changed(client, group.version, file) ?? file.size
    this.#download.changed += devices * part
  }

  #remember(device: AskingDevice, installed: Installed, { devices, example }: DeviceGroup): void {
    const { platform, arch, labels } = device
    const key = JSON.stringify([installed, platform, arch, labels])
    const known = this.#reached.get(key)
    if (known === undefined) this.#reached.set(key, { device, installed, devices, example })
    else known.devices += devices
  }

  /** What devices can do that have the release when it is rolled back, or is below the minimum. */
  #checkRollback(): void {
    const { channel, release, ask } = this.#trial
    const { policy, releases, published, minimumSupported } = channel.compiled
    const others = releases.map(({ facts }) => facts).filter(({ id }) => id !== release.facts.id)
    const back: ReleaseRecord = { ...release.facts, status: 'rolled_back' }
    const without = { ...channel, compiled: compileChannel(policy, [...others, back]) }
    const hasLower = published.some(({ version }) => compareVersions(version, release.version) < 0)
    const isBelow = compareVersions(release.version, minimumSupported) < 0
    for (const { device, installed, devices, example } of this.#reached.values()) {
      const { client } = installed
      const { platform, arch } = device
      const faults: Fault[] = []
      if (isBelow) faults.push({ code: 'below_minimum', expected: minimumSupported.text })
      if (policy.rollback === 'downgrade' && hasLower) {
        const at = { ...device, version: release.version }
        if (NEVER_DOWN.has(client)) faults.push({ code: 'no_way_back', found: 'updater' })
        else if (ask(without, client, at).offered === null)
          faults.push({ code: 'no_way_back', found: 'release' })
      }
      const concerned = { client, platform, arch, version: release.version.text, devices, example }
      this.#findings.add(faults, concerned)
    }
  }
}

function sumOf(groups: readonly DeviceGroup[]): number {
  return groups.reduce((sum, { devices }) => sum + devices, 0)
}
