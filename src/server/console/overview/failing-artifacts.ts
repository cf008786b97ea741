import { type Attention, MAX_ATTENTION } from '../../../shared/console/overview.ts'
import { releasesToProve } from '../../catalog/releases/live-releases.ts'
import type { CatalogApp } from '../../catalog/snapshot.ts'
import type { CatalogReads } from '../../catalog/store.ts'

type Failing = Pick<Attention, 'artifacts' | 'moreArtifacts'>

/** Returns the artifacts that devices cannot install, of releases that are served or wait for their proof. */
export async function failingArtifacts(
  store: Pick<CatalogReads, 'proofs'>,
  apps: readonly CatalogApp[],
): Promise<Failing> {
  const releases = new Map(
    apps
      .filter(({ record }) => record.archivedAt === null)
      .flatMap(({ channels }) => [...channels.values()])
      .flatMap((channel) =>
        releasesToProve(channel).map(({ facts }) => [facts.id, { channel, facts }]),
      ),
  )
  const proofs = releases.size === 0 ? [] : await store.proofs([...releases.keys()])
  const failing = proofs
    .flatMap(({ releaseId, position, failure, alarmedAt }) => {
      const release = releases.get(releaseId)
      const artifact = release?.facts.artifacts[position]
      if (release === undefined || artifact === undefined) return []
      if (failure === null || alarmedAt === null) return []
      const { channel, facts } = release
      const { platform, arch, kind } = artifact
      const place = { app: channel.app.ref, channel: channel.record.name, version: facts.version }
      return [{ ...place, platform, arch, kind, failure, since: alarmedAt }]
    })
    .toSorted((one, other) => (one.since < other.since ? -1 : 1))
  return {
    artifacts: failing.slice(0, MAX_ATTENTION),
    moreArtifacts: Math.max(0, failing.length - MAX_ATTENTION),
  }
}
