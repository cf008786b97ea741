import { artifactKey } from '../../shared/aliases.ts'
import type { PublishBody } from '../../shared/release.ts'
import { refuseDuplicate } from './apps.ts'
import { auditEntry } from './audit.ts'
import type { Actor } from './audit-log.ts'
import type { Catalog } from './catalog.ts'
import { Refusal } from './errors.ts'
import { refuseInvalidRanges } from './serving.ts'
import type { CatalogChannel } from './snapshot.ts'
import type { ReleaseRecord } from './store.ts'
import { storedChannel } from './stored.ts'

/**
 * Publishes a release: immutable from then on, status `published`, not offered yet.
 * Throws `unknown` (app, channel), `invalid` (a range in the targets, two artifacts for one
 * platform and arch) and `duplicate` (the version exists on the channel).
 */
export async function publishRelease(
  catalog: Catalog,
  actor: Actor,
  channel: CatalogChannel,
  body: Omit<PublishBody, 'app' | 'channel'>,
): Promise<ReleaseRecord> {
  refuseInvalidRanges(body.targets)
  refuseTwins(body)
  const { app, record } = channel
  const { version, rolloutPct, targets, artifacts } = body
  const taken = { code: 'release_exists', app: app.ref, channel: record.name, version } as const
  return await refuseDuplicate(taken, () =>
    catalog.change(async (tx) => {
      await storedChannel(tx, channel)
      const at = catalog.timestamp()
      const release = await tx.insertRelease({
        ...body,
        id: catalog.newId(),
        appKey: app.key,
        channelKey: record.key,
        status: 'published',
        createdAt: at,
      })
      const subject = { app: app.ref, channel: record.name, version }
      const after = { status: release.status, rolloutPct, targets, artifacts: artifacts.length }
      await tx.appendAudit(auditEntry(at, actor, 'release.published', subject, null, after))
      return release
    }),
  )
}

function refuseTwins({ artifacts }: Pick<PublishBody, 'artifacts'>): void {
  const seen = new Set<string>()
  for (const [index, { platform, arch }] of artifacts.entries()) {
    const key = artifactKey(platform, arch)
    if (seen.has(key)) {
      const path = ['artifacts', String(index)]
      throw new Refusal({ code: 'artifact_repeated', path, platform, arch })
    }
    seen.add(key)
  }
}
