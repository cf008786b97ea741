import type { ReleaseStatus } from '../../shared/release.ts'
import { readVersion } from '../../shared/version.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { compareVersions, prepareVersion } from '../decision/version.ts'
import { type ChannelPlace, findChannel, type Principal } from './principal.ts'

/** What publishing a version would meet. */
export type VersionJudgement = {
  /** The highest version of the channel, whatever its status; null where there is none. */
  readonly highest: string | null
} & (
  | { readonly state: 'free' }
  /** `reason`: what is wrong with it, as the end of a sentence. */
  | { readonly state: 'invalid'; readonly reason: string }
  | { readonly state: 'duplicate'; readonly version: string; readonly status: ReleaseStatus }
  | { readonly state: 'lower'; readonly version: string; readonly highest: string }
)

/** Returns what publishing `version` on the channel would meet. Throws `unknown` (app, channel). */
export async function judgeVersion(
  { catalog }: { readonly catalog: Catalog },
  principal: Principal,
  { version: text, ...place }: ChannelPlace & { readonly version: string },
): Promise<VersionJudgement> {
  const { releases } = findChannel(await catalog.refresh(), principal, place).compiled
  const last = releases.at(-1)?.version
  const highest = last?.text ?? null
  const read = readVersion(text.trim())
  if (!read.ok) return { state: 'invalid', reason: read.reason, highest }
  const version = prepareVersion(read.version)
  const twin = releases.find((release) => release.version.text === version.text)
  if (twin !== undefined) {
    return { state: 'duplicate', version: version.text, status: twin.facts.status, highest }
  }
  if (last === undefined || compareVersions(version, last) > 0) return { state: 'free', highest }
  return { state: 'lower', version: version.text, highest: last.text }
}
