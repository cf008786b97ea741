import { canonicalPlatform } from '../../../shared/aliases.ts'
import type { Preview } from '../../../shared/console/releases.ts'
import { OTHER } from '../../../shared/other.ts'
import { readsLabels } from '../../decision/candidates.ts'
import type { CompiledChannel } from '../../decision/channel.ts'
import { compileChannel } from '../../decision/compile.ts'
import { type Decision, decide } from '../../decision/decide.ts'
import { parseVersion } from '../../decision/version.ts'
import { NO_LABELS } from '../../fleet/devices/labels.ts'
import type { ScannedDevice } from '../../fleet/facts.ts'
import { type Effect, EffectCounts } from './preview-counts.ts'
import type { PreviewPlan } from './preview-plan.ts'

/** Most lines that the answer has by version and by platform, and by label. */
const MOST_LINES = 100
const MOST_LABELS = 20

/** Decides for one device after the other before and after a change, and counts what differs. */
export class PreviewTally {
  readonly #before: CompiledChannel
  readonly #after: CompiledChannel
  readonly #readsLabels: boolean
  readonly #id: string
  readonly #version: string
  readonly #isRolledBack: boolean
  readonly #downTo = new Map<string, number>()
  readonly #byVersion = new EffectCounts()
  readonly #byPlatform = new EffectCounts()
  readonly #byLabel = new EffectCounts()
  readonly #totals = { gaining: 0, losing: 0, movingDown: 0 }
  #stranded = 0
  #devices = 0
  #unknown = 0

  constructor({ policy, releases, changed }: Pick<PreviewPlan, 'policy' | 'releases' | 'changed'>) {
    const others = releases.filter(({ id }) => id !== changed.id)
    this.#before = compileChannel(policy, releases)
    this.#after = compileChannel(policy, [...others, changed])
    this.#readsLabels = readsLabels(this.#before) || readsLabels(this.#after)
    this.#id = changed.id
    this.#version = changed.version
    this.#isRolledBack = changed.status === 'rolled_back'
  }

  /** Devices looked at until now. */
  get devices(): number {
    return this.#devices
  }

  /** Looks at a device of the channel. */
  add(device: ScannedDevice): void {
    const { deviceId } = device
    const { version, platform, arch } = device.profile
    this.#devices++
    if (version === OTHER || platform === OTHER || arch === OTHER) {
      this.#unknown++
      return
    }
    // Most channels look at no label: then only those of the devices concerned are read.
    const labels = this.#readsLabels ? device.labels : NO_LABELS
    const facts = { deviceId, version: parseVersion(version), platform, arch, labels }
    const before = decide(this.#before, facts)
    const after = decide(this.#after, facts)
    const effects = this.#effectsOf(version, before, after)
    if (effects.length === 0) return
    for (const effect of effects) this.#totals[effect]++
    this.#byVersion.add(version, effects)
    this.#byPlatform.add(platform === '' ? 'unknown' : canonicalPlatform(platform), effects)
    for (const [key, value] of Object.entries(device.labels))
      this.#byLabel.add(`${key}=${value}`, effects)
  }

  result(): Preview {
    const downTo = [...this.#downTo].map(([version, devices]) => ({ version, devices }))
    return {
      devices: this.#devices,
      unknown: this.#unknown,
      ...this.#totals,
      stranded: this.#stranded,
      downTo: downTo.sort((one, other) => other.devices - one.devices),
      byVersion: this.#byVersion.most(MOST_LINES),
      byPlatform: this.#byPlatform.most(MOST_LINES),
      byLabel: this.#byLabel.most(MOST_LABELS),
    }
  }

  #effectsOf(version: string, before: Decision, after: Decision): Effect[] {
    const effects: Effect[] = []
    const had = before.release?.facts.id === this.#id
    const has = after.release?.facts.id === this.#id
    if (has && !had) effects.push('gaining')
    if (had && !has) effects.push('losing')
    if (!this.#isRolledBack || version !== this.#version) return effects
    // A device on the release that is taken back.
    if (after.release === null) this.#stranded++
    else if (after.allowDowngrade) {
      effects.push('movingDown')
      const target = after.release.facts.version
      this.#downTo.set(target, (this.#downTo.get(target) ?? 0) + 1)
    }
    return effects
  }
}
