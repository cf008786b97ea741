import { ANY_ARCH, canonicalArch, canonicalPlatform } from '../../shared/aliases.ts'
import type { PreflightReport } from '../../shared/preflight.ts'
import { releaseOn, requireRelease } from '../catalog/catalog.ts'
import type { ReleaseRecord } from '../catalog/records.ts'
import type { CatalogChannel, ServedRelease } from '../catalog/snapshot.ts'
import { compileChannel } from '../decision/compile.ts'
import { compareVersions, parseVersion } from '../decision/version.ts'
import { NO_LABELS } from '../fleet/labels.ts'
import type { AskFeed, AskingDevice } from './asking.ts'
import { type Installed, installedFrom, NEVER_DOWN } from './clients/clients.ts'
import type { Fault } from './clients/reading.ts'
import { Findings, verdictOf } from './findings.ts'
import type { DeviceGroup } from './groups.ts'
import { ENDS, type End, type Trial, walk } from './walk.ts'

/** Most groups that are checked, those of most devices first. */
const MAX_CHECKED = 2_000
/** Milliseconds for which released versions are checked that no device runs now: two years. */
const REMEMBERED = 2 * 365 * 86_400_000

/** What a report says of devices and findings. */
export type Judgement = Omit<
  PreflightReport,
  'app' | 'channel' | 'version' | 'status' | 'checkedAt'
>

/** Returns the channel as it would be with a release for all of its targets. */
export function trialOf(channel: CatalogChannel, tried: ReleaseRecord, ask: AskFeed): Trial {
  const { policy, releases } = channel.compiled
  const others = releases.map(({ facts }) => facts).filter(({ id }) => id !== tried.id)
  const served: ReleaseRecord = { ...tried, status: 'published', rolloutPct: 100, openPct: null }
  const after = { ...channel, compiled: compileChannel(policy, [...others, served]) }
  return { channel: after, release: requireRelease(after, tried.version), ask }
}

/** Checks a release of a channel, on which it is tried, for groups of devices and for versions released before `now` (Unix ms). */
export class Judge {
  readonly #trial: Trial
  readonly #findings = new Findings()
  readonly #ends: Record<End, number> = { reached: 0, beyond: 0, not_targeted: 0, refused: 0 }
  readonly #reached = new Map<
    string,
    { device: AskingDevice; installed: Installed; devices: number }
  >()
  readonly #groups: readonly DeviceGroup[]
  readonly #unchecked: number

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
      groups: withDevices,
      releasedVersions: this.#groups.length - withDevices,
      findings,
    }
  }

  #check(group: DeviceGroup): void {
    const { platform, arch, labels, deviceId, devices } = group
    const version = parseVersion(group.version)
    let end: End = 'reached'
    const faults = new Map<Installed['client'], Fault[]>()
    for (const installed of this.#installedBy(group)) {
      const { client, bundle } = installed
      const device = { deviceId, version, platform, arch, bundle, labels }
      const found = walk(this.#trial, installed, device)
      if (ENDS.indexOf(found.end) > ENDS.indexOf(end)) end = found.end
      // A device has one of the bundles, so that what is wrong with several counts once.
      faults.set(client, [...(faults.get(client) ?? []), ...found.faults])
      if (found.end === 'reached') this.#remember(device, installed, devices)
    }
    this.#ends[end] += devices
    for (const [client, each] of faults) {
      const once = new Map(each.map((fault) => [JSON.stringify(fault), fault]))
      this.#findings.add([...once.values()], {
        client,
        platform,
        arch,
        version: version.text,
        devices,
      })
    }
  }

  /** The updaters of a group: those that its version is built for, else those of the nearest release that has files for it. */
  #installedBy({ version, platform, arch }: DeviceGroup): Installed[] {
    const { channel, release } = this.#trial
    const own = releaseOn(channel, version)
    const found = own === undefined ? [] : installedFrom(own.facts, platform, arch)
    if (found.length > 0) return found
    for (const each of nearest(channel, version)) {
      const installed = installedFrom(each.facts, platform, arch)
      if (installed.length > 0) return installed
    }
    const offered = installedFrom(release.facts, platform, arch)
    return offered.length > 0 ? offered : [{ client: 'update_check', bundle: '' }]
  }

  #remember(device: AskingDevice, installed: Installed, devices: number): void {
    const { platform, arch, labels } = device
    const key = JSON.stringify([installed, platform, arch, labels])
    const known = this.#reached.get(key)
    if (known === undefined) this.#reached.set(key, { device, installed, devices })
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
    for (const { device, installed, devices } of this.#reached.values()) {
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
      this.#findings.add(faults, { client, platform, arch, version: release.version.text, devices })
    }
  }
}

function sumOf(groups: readonly DeviceGroup[]): number {
  return groups.reduce((sum, { devices }) => sum + devices, 0)
}

/** The other releases, those below a version from the highest on, then those above it. */
function nearest({ compiled }: CatalogChannel, version: string): ServedRelease[] {
  const from = parseVersion(version)
  const isBelow = (each: ServedRelease) => compareVersions(each.version, from) <= 0
  const { releases } = compiled
  return [...releases.filter(isBelow).toReversed(), ...releases.filter((each) => !isBelow(each))]
}

/** Groups without devices, for the systems that earlier releases have files for. */
function releasedBefore(
  { channel, release }: Trial,
  groups: readonly DeviceGroup[],
  now: number,
): DeviceGroup[] {
  const keyOf = (...parts: readonly string[]) => parts.join(' ')
  const known = new Set(groups.map((each) => keyOf(each.version, each.platform, each.arch)))
  // Devices of some arch show what those of any would do.
  for (const each of groups) known.add(keyOf(each.version, each.platform, ANY_ARCH))
  const found: DeviceGroup[] = []
  for (const { facts, version } of channel.compiled.releases.toReversed()) {
    const isRecent = now - Date.parse(facts.createdAt) <= REMEMBERED
    if (!isRecent || compareVersions(version, release.version) >= 0) continue
    for (const artifact of facts.artifacts) {
      const system = {
        platform: canonicalPlatform(artifact.platform),
        arch: canonicalArch(artifact.arch),
      }
      const key = keyOf(version.text, system.platform, system.arch)
      if (known.has(key) || found.length >= MAX_CHECKED) continue
      known.add(key)
      const nobody = { labels: NO_LABELS, deviceId: null, devices: 0 }
      found.push({ version: version.text, ...system, ...nobody })
    }
  }
  return found
}
