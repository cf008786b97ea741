import { compareAsSparkle } from '../../../shared/artifacts/documents/sparkle-order.ts'
import { SPARKLE_SIGNATURE } from '../../../shared/artifacts/signature-form.ts'
import { canonicalPlatform } from '../../../shared/devices/aliases.ts'
import type { Artifact } from '../../../shared/releases/release.ts'
import {
  BUILD_NUMBER,
  buildOf,
  bundleVersionOf,
  readVersion,
  shortVersionOf,
} from '../../../shared/releases/version.ts'
import type { CompiledChannel } from '../decision/channel.ts'
import type { Takes } from '../decision/device.ts'
import { compareVersions, type ParsedVersion } from '../decision/version.ts'

/**
 * Returns the version that a `CFBundleVersion` means on a channel; what is neither a version nor a build number stays as it
 * is. A build number that no release has means the highest release with a lower one, with this build in place of its own:
 * so it is between the releases where Sparkle sees it. Without a lower one, it is of 0.0.0.
 */
export function versionOfBundle({ releases }: CompiledChannel, bundleVersion: string): string {
  const known =
    releases.findLast(({ version }) => version.text === bundleVersion) ??
    releases.findLast(({ version }) => buildOf(version) === bundleVersion)
  if (known !== undefined) return known.version.text
  if (!BUILD_NUMBER.test(bundleVersion)) return bundleVersion
  const built = releases.filter(({ version }) => buildOf(version) !== undefined)
  // Three numbers are a version, unless this app has build numbers of three.
  const isVersion = readVersion(bundleVersion).ok
  if (isVersion && !built.some(({ version }) => version.build.length === 3)) return bundleVersion
  const below = built.filter(({ version }) => {
    return compareAsSparkle(bundleVersionOf(version), bundleVersion) < 0
  })
  const short = below.length === 0 ? '0.0.0' : shortVersionOf(highest(below).version)
  return `${short}+${bundleVersion.split('.').map(BigInt).join('.')}`
}

/** Returns the release on whose app Sparkle would not install a version that is above it here; undefined if there is none. */
export function blockingInSparkle(
  { releases }: CompiledChannel,
  version: ParsedVersion,
): ParsedVersion | undefined {
  const below = releases.filter(({ version: other, facts }) => {
    return compareVersions(other, version) < 0 && facts.artifacts.some(isSignedForSparkle)
  })
  if (below.length === 0) return undefined
  const { version: top } = highest(below)
  return sparkleTakes(bundleVersionOf(top)).isAbove(bundleVersionOf(version)) ? undefined : top
}

function isSignedForSparkle({ platform, signature }: Artifact): boolean {
  return canonicalPlatform(platform) === 'darwin' && SPARKLE_SIGNATURE.test(signature)
}

function highest<T extends { readonly version: ParsedVersion }>(releases: readonly T[]): T {
  return releases.reduce((best, each) => {
    const order = compareAsSparkle(bundleVersionOf(best.version), bundleVersionOf(each.version))
    return order <= 0 ? each : best
  })
}

/** Returns the bundle version below which apps are below a version: that of the lowest release from it on, if it has one. */
export function bundleVersionFrom({ releases }: CompiledChannel, minimum: ParsedVersion): string {
  const first = releases.find(({ version }) => compareVersions(version, minimum) >= 0)
  return (first && buildOf(first.version)) ?? minimum.text
}

/** Returns which versions Sparkle installs over that `CFBundleVersion`: those above it in its order. */
export function sparkleTakes(running: string): Takes {
  return {
    running,
    nameOf: bundleVersionOf,
    isAbove: (name) => compareAsSparkle(running, name) < 0,
  }
}
