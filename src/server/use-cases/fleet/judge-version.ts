import type { VersionVerdict } from '../../../shared/console/releases.ts'
import { readVersion } from '../../../shared/version.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { compareVersions, prepareVersion } from '../../decision/version.ts'
import { type ChannelPlace, findChannel, type Principal } from '../principal.ts'

/**
 * Returns what publishing `version` on the channel would meet. Needs the role `viewer`. Throws `unknown` (app,
 * channel).
 */
export async function judgeVersion(
  { catalog }: { readonly catalog: Catalog },
  principal: Principal,
  { version: text, ...place }: ChannelPlace & { readonly version: string },
): Promise<VersionVerdict> {
  const { releases } = findChannel(await catalog.refresh(), principal, place, 'viewer').compiled
  const last = releases.at(-1)?.version
  const read = readVersion(text.trim())
  if (!read.ok) return { state: 'invalid', reason: read.reason }
  const version = prepareVersion(read.version)
  const twin = releases.find((release) => release.version.text === version.text)
  if (twin !== undefined) {
    return { state: 'duplicate', version: version.text, status: twin.facts.status }
  }
  if (last === undefined) return { state: 'free', highest: null }
  if (compareVersions(version, last) > 0) return { state: 'free', highest: last.text }
  return { state: 'lower', version: version.text, highest: last.text }
}
