import type { ChannelPolicy } from '../../../shared/releases/channel.ts'
import type { Artifact, Release } from '../../../shared/releases/release.ts'
import type { ArtifactIndex } from './artifacts.ts'
import type { CompiledEarlyAccess } from './early-access.ts'
import type { CompiledTargets } from './targets.ts'
import type { ParsedVersion } from './version.ts'

/** What the catalog knows of a release, as far as decisions need it. */
export interface ReleaseFacts
  extends Readonly<Omit<Release, 'app' | 'channel' | 'offered' | 'artifacts' | 'preflight'>> {
  readonly artifacts: readonly Artifact[]
  /** Percentage (0 to 100, not whole) up to which it is offered while failures are suspicious; null for all of its rollout. */
  readonly openPct: number | null
}

/** Returns the percentage that devices are offered a release at: that of its rollout, or less while new offers wait. */
export function offeredPct({ rolloutPct, openPct }: Pick<ReleaseFacts, 'rolloutPct' | 'openPct'>) {
  return openPct === null ? rolloutPct : Math.min(rolloutPct, openPct)
}

/** A release prepared for deciding. */
export interface CompiledRelease<Facts extends ReleaseFacts = ReleaseFacts> {
  readonly facts: Facts
  readonly version: ParsedVersion
  /** `null` if the release has no targets and so targets every device. */
  readonly targets: CompiledTargets | null
  readonly artifacts: ArtifactIndex
  /** True if a file of it needs some operating system. */
  readonly hasFloor: boolean
}

/** A channel prepared for decisions. Immutable: it is replaced when a release or the policy changes. */
export interface CompiledChannel<Facts extends ReleaseFacts = ReleaseFacts> {
  readonly policy: ChannelPolicy
  readonly minimumSupported: ParsedVersion
  /** Every release of the channel, whatever its status, lowest version first. */
  readonly releases: readonly CompiledRelease<Facts>[]
  /** The published ones among them, lowest version first. */
  readonly published: readonly CompiledRelease<Facts>[]
  /** Canonical versions of the rolled-back ones. */
  readonly rolledBack: ReadonlySet<string>
  /** True if one of the published ones needs some operating system. */
  readonly hasFloors: boolean
  /** `null` if no device has early access. */
  readonly earlyAccess: CompiledEarlyAccess | null
  /** At index `i`, for how many of the lowest `i` published releases labels can change who is offered them. */
  readonly labelReaders: Uint32Array
}
