import type { Preview } from '../../../shared/console/releases/preview.ts'
import { canonicalPlatform } from '../../../shared/devices/aliases.ts'
import { OTHER } from '../../../shared/devices/counting.ts'
import type { ChannelPolicy } from '../../../shared/releases/channel.ts'
import type { Artifact } from '../../../shared/releases/release.ts'
import { keyOf } from '../../catalog/releases/draft-content.ts'
import type { DeviceScan, ScannedDevice } from '../../fleet/facts.ts'
import { NO_LABELS } from '../../fleet/labels.ts'
import { readsLabels } from '../../rules/decision/candidates.ts'
import type { CompiledChannel, ReleaseFacts } from '../../rules/decision/channel.ts'
import { inCohort } from '../../rules/decision/cohort.ts'
import { compileChannel } from '../../rules/decision/compile.ts'
import {
  admissionTo,
  type Decision,
  type DeviceFacts,
  decide,
} from '../../rules/decision/decide.ts'
import { parseVersion } from '../../rules/decision/version.ts'
import { type PartialDownloads, sizeKey } from './partial-downloads.ts'

/** Most lines that the answer has by version and by platform, and by label. */
const MOST_LINES = 100
const MOST_LABELS = 20
/** Most names that are counted apart: anybody can send labels. Later ones are left out. */
const MAX_NAMES = 50_000

/** All that a preview is counted from, as plain data. Notes are left out of the facts: they may be long. */
export interface PreviewPlan {
  readonly policy: ChannelPolicy
  /** Every release of the channel as it is. */
  readonly releases: readonly ReleaseFacts[]
  /** The release that would change, as it would be. */
  readonly changed: ReleaseFacts
  /** What devices download of the files of that release that have a part of them. */
  readonly parts: PartialDownloads
  /** The devices of the channel. */
  readonly scan: DeviceScan
}

/** Decides for one device after the other before and after a change, and counts what differs. */
export class PreviewTally {
  readonly #before: CompiledChannel
  readonly #after: CompiledChannel
  readonly #readsLabels: boolean
  readonly #changed: ReleaseFacts
  readonly #manualChecks: boolean
  readonly #downTo = new Map<string, number>()
  readonly #byVersion = new EffectCounts()
  readonly #byPlatform = new EffectCounts()
  readonly #byLabel = new EffectCounts()
  readonly #counts = {
    ...{ devices: 0, unknown: 0, gaining: 0, losing: 0, movingDown: 0, earlyAccess: 0 },
    ...{ sized: 0, bytes: 0, stranded: 0 },
  }
  readonly #parts: PartialDownloads
  readonly #partial = {
    blocks: { devices: 0, known: 0, most: 0, bytes: 0 },
    patches: { devices: 0, known: 0, most: 0, bytes: 0 },
  }
  readonly #keys: ReadonlyMap<Artifact, string>

  constructor({ policy, releases, changed, parts }: Omit<PreviewPlan, 'scan'>) {
    const others = releases.filter(({ id }) => id !== changed.id)
    this.#before = compileChannel(policy, releases)
    this.#after = compileChannel(policy, [...others, changed])
    this.#readsLabels = readsLabels(this.#before) || readsLabels(this.#after)
    this.#changed = changed
    this.#parts = parts
    this.#keys = new Map(changed.artifacts.map((each) => [each, keyOf(each)]))
    const isStaged = changed.rolloutPct > 0 && changed.rolloutPct < 100
    this.#manualChecks = policy.manualChecks && isStaged && changed.status === 'published'
  }

  /** Devices looked at until now. */
  get devices(): number {
    return this.#counts.devices
  }

  /** Looks at a device of the channel. */
  add(device: ScannedDevice): void {
    const { version, platform } = device.profile
    this.#counts.devices++
    // Most channels look at no label: then only those of the devices concerned are read.
    const facts = factsOf(device, this.#readsLabels)
    if (facts === null) {
      this.#counts.unknown++
      return
    }
    const before = decide(this.#before, facts)
    const after = decide(this.#after, facts)
    const effects = this.#effectsOf(version, before, after)
    if (effects.length === 0) return
    for (const effect of effects) this.#counts[effect]++
    if (effects.includes('gaining')) {
      if (this.#isByEarlyAccess(facts)) this.#counts.earlyAccess++
      this.#addDownload(version, after)
    }
    this.#byVersion.add(version, effects)
    this.#byPlatform.add(platform === '' ? 'unknown' : canonicalPlatform(platform), effects)
    for (const [key, value] of Object.entries(device.labels))
      this.#byLabel.add(`${key}=${value}`, effects)
  }

  result(): Preview {
    const downTo = [...this.#downTo].map(([version, devices]) => ({ version, devices }))
    return {
      ...this.#counts,
      ...this.#partial,
      manualChecks: this.#manualChecks,
      downTo: downTo.sort((one, other) => other.devices - one.devices),
      byVersion: this.#byVersion.most(MOST_LINES),
      byPlatform: this.#byPlatform.most(MOST_LINES),
      byLabel: this.#byLabel.most(MOST_LABELS),
    }
  }

  #addDownload(version: string, decision: Decision): void {
    if (decision.release === null || decision.artifact.size === 0) return
    this.#counts.sized++
    this.#counts.bytes += decision.artifact.size
    const key = this.#keys.get(decision.artifact)
    if (key === undefined) return
    for (const way of ['blocks', 'patches'] as const) {
      const { keys, bytes, most } = this.#parts[way]
      if (!keys.has(key)) continue
      const sums = this.#partial[way]
      sums.devices++
      const at = sizeKey(version, key)
      const part = bytes.get(at)
      if (part === undefined) continue
      sums.known++
      if (most.has(at)) sums.most++
      sums.bytes += part
    }
  }

  #isByEarlyAccess(device: DeviceFacts): boolean {
    const { id, rolloutPct } = this.#changed
    if (inCohort(id, device.deviceId, rolloutPct)) return false
    return admissionTo(this.#after, rolloutPct, device) === 'early_access'
  }

  #effectsOf(version: string, before: Decision, after: Decision): Effect[] {
    const effects: Effect[] = []
    const { id, status, version: own } = this.#changed
    const had = before.release?.facts.id === id
    const has = after.release?.facts.id === id
    if (has && !had) effects.push('gaining')
    if (had && !has) effects.push('losing')
    if (status !== 'rolled_back' || version !== own) return effects
    // A device on the release that is taken back.
    if (after.release === null) this.#counts.stranded++
    else if (after.allowDowngrade) {
      effects.push('movingDown')
      const target = after.release.facts.version
      this.#downTo.set(target, (this.#downTo.get(target) ?? 0) + 1)
    }
    return effects
  }
}

/** Returns what decisions look at of a device; null if none is known of it. Its labels only where a channel looks at them. */
export function factsOf(device: ScannedDevice, readsLabels: boolean): DeviceFacts | null {
  const { deviceId } = device
  const { version, platform, arch } = device.profile
  if (version === OTHER || platform === OTHER || arch === OTHER) return null
  const labels = readsLabels ? device.labels : NO_LABELS
  // Devices name their bundle when they ask, and it is not recorded.
  const bundle = OTHER
  const named = { deviceId, version: parseVersion(version), platform, arch, bundle }
  return { ...named, labels, manual: false }
}

type Effect = 'gaining' | 'losing' | 'movingDown'

type Line = Preview['byLabel'][number]

class EffectCounts {
  readonly #lines = new Map<string, Line>()

  add(name: string, effects: readonly Effect[]): void {
    let line = this.#lines.get(name)
    if (line === undefined) {
      if (this.#lines.size >= MAX_NAMES) return
      line = { name, gaining: 0, losing: 0, movingDown: 0 }
      this.#lines.set(name, line)
    }
    for (const effect of effects) line[effect]++
  }

  /** The `limit` names with the most effects, most first; equal ones by name. */
  most(limit: number): Line[] {
    return [...this.#lines.values()]
      .sort((one, other) => sum(other) - sum(one) || (one.name < other.name ? -1 : 1))
      .slice(0, limit)
  }
}

function sum({ gaining, losing, movingDown }: Line): number {
  return gaining + losing + movingDown
}
