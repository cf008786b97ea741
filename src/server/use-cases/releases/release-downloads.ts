import { sha512InHex } from '../../../shared/artifacts/sha512.ts'
import type { ReleaseDownloads, ReleasePlace } from '../../../shared/console/releases/releases.ts'
import type { Artifact } from '../../../shared/releases/release.ts'
import { keyOf } from '../../catalog/releases/draft-content.ts'
import type { Hosting } from '../../hosting/hosting.ts'
import type { HostingParts } from '../files/host-files.ts'
import { isInBlocks } from '../files/mapped-file.ts'
import { findChannel, type Principal } from '../principal.ts'

/** Returns the bytes of a file: as they were published, or as the server has stored it; 0 if they are not known. */
export function sizeOf({ size, sha512 }: Artifact, hosting: Hosting | null): number {
  return size || (hosting?.stored.find(sha512InHex(sha512))?.size ?? 0)
}

/**
 * Returns what the artifacts of a release cost a device that runs the version `from`, null for none. Block maps that are not made
 * yet are not made for this. Needs the role `viewer`. Throws `unknown`.
 */
export async function releaseDownloads(
  { catalog, hosting }: HostingParts,
  principal: Principal,
  { version, ...place }: ReleasePlace,
  from: string | null,
): Promise<ReleaseDownloads> {
  const { compiled } = findChannel(await catalog.refresh(), principal, place, 'viewer')
  const artifactsOf = (named: string | null) =>
    compiled.releases.find(({ facts }) => facts.version === named)?.facts.artifacts ?? []
  const before = new Map(artifactsOf(from).map((each) => [keyOf(each), each]))
  const artifacts: ReleaseDownloads['artifacts'] = []
  // One after the other: block maps are large.
  for (const each of artifactsOf(version)) {
    const old = before.get(keyOf(each))
    const changed = old && hosting ? await changedBytes(hosting, old, each) : undefined
    artifacts.push({ size: sizeOf(each, hosting), changed: changed ?? null })
  }
  return { from, artifacts }
}

async function changedBytes(
  { stored, blockMaps }: Hosting,
  from: Artifact,
  to: Artifact,
): Promise<number | undefined> {
  const [old, file] = [from, to].map(({ sha512 }) => stored.find(sha512InHex(sha512)))
  if (old === undefined || file === undefined || !isInBlocks(file.name)) return undefined
  return await blockMaps.changedBytes(old, file)
}
