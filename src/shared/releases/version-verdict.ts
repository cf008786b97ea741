import { z } from 'zod'
import { Version } from '../names.ts'
import { ReleaseStatus } from './release.ts'

/** What publishing a version would meet (docs/api.md, "Check a version"). */
export const VersionVerdict = z.discriminatedUnion('state', [
  /** `highest`: the highest version of the channel, whatever its status; null if there is none. */
  z.strictObject({ state: z.literal('free'), highest: Version.nullable() }),
  /** `reason`: the rule of versions that it breaks. */
  z.strictObject({ state: z.literal('invalid'), reason: z.string() }),
  z.strictObject({ state: z.literal('duplicate'), version: Version, status: ReleaseStatus }),
  /**
   * `asText`: the parts of both pre-releases of which the one with the higher number is lower, because SemVer orders parts
   * with letters as text, such as `alpha100` below `alpha99`; null if that is not the reason.
   * `downgrades`: the channel downgrades devices on every higher version, which were all rolled back, to this one.
   */
  z.strictObject({
    state: z.literal('lower'),
    version: Version,
    highest: Version,
    asText: z.strictObject({ lower: z.string(), higher: z.string() }).nullable(),
    downgrades: z.boolean(),
  }),
  /**
   * Sparkle compares `build` with `highestBuild`, that of a lower version, and takes the app of the lower one for the same
   * or a newer one.
   */
  z.strictObject({
    state: z.literal('not_above_for_sparkle'),
    version: Version,
    highest: Version,
    build: z.string(),
    highestBuild: z.string(),
  }),
  /** Only the build metadata differs from that of `highest`, which electron-updater ignores. */
  z.strictObject({ state: z.literal('same_for_electron'), version: Version, highest: Version }),
  /** A pre-release, where all releases of the channel, up to `highest`, are none. */
  z.strictObject({ state: z.literal('first_prerelease'), version: Version, highest: Version }),
])
export type VersionVerdict = z.infer<typeof VersionVerdict>
export const VersionVerdictAnswer = z
  .strictObject({ verdict: VersionVerdict })
  .meta({ id: 'VersionVerdictAnswer' })

/** What is odd about a version that can be published. */
export type OddVersion = Exclude<VersionVerdict, { state: 'free' | 'invalid' | 'duplicate' }>

/** Returns whether a version can be published, but is probably not what was wanted. */
export function isOdd(verdict: VersionVerdict): verdict is OddVersion {
  return !['free', 'invalid', 'duplicate'].includes(verdict.state)
}
