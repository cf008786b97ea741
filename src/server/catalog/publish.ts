import { artifactKey } from '../../shared/aliases.ts'
import type { PublishBody } from '../../shared/release.ts'
import { targetsIssue } from '../decision/targets.ts'
import { refuseDuplicate } from './apps.ts'
import { auditEntry } from './audit.ts'
import type { Catalog } from './catalog.ts'
import { invalid } from './errors.ts'
import type { CatalogChannel } from './snapshot.ts'
import type { Actor, ReleaseRecord } from './store.ts'
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
  const issue = targetsIssue(body.targets)
  if (issue !== undefined) throw invalid({ ...issue, path: ['targets', ...issue.path] })
  refuseTwins(body)
  const { app, record } = channel
  const { version, notes, rolloutPct, targets, artifacts } = body
  const taken = `version ${version} of ${app.ref}/${record.name} already exists`
  return await refuseDuplicate(taken, () =>
    catalog.change(async (tx) => {
      await storedChannel(tx, channel)
      const at = catalog.timestamp()
      const release = await tx.insertRelease({
        id: catalog.newId(),
        appKey: app.key,
        channelKey: record.key,
        version,
        notes,
        status: 'published',
        rolloutPct,
        targets,
        createdAt: at,
        artifacts,
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
      const reason = `is a second artifact for ${platform} ${arch}; give one per platform and arch`
      throw invalid({ path: ['artifacts', index], reason })
    }
    seen.add(key)
  }
}
