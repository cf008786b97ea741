import { artifactKey } from '../../shared/aliases.ts'
import type { PublishBody } from '../../shared/release.ts'
import { type Approval, refuseUnapproved, requestedByOf } from './approval.ts'
import { refuseDuplicate } from './apps.ts'
import { auditEntry } from './audit.ts'
import type { Actor } from './audit-log.ts'
import type { Catalog } from './catalog.ts'
import { Refusal } from './errors.ts'
import { refuseInvalidRanges } from './serving.ts'
import type { CatalogChannel } from './snapshot.ts'
import type { CatalogWrites, ReleaseRecord } from './store.ts'
import { storedChannel } from './stored.ts'

/** What a release is published with, on a channel that is known. */
export type PublishContent = Omit<PublishBody, 'app' | 'channel'>

/** Who publishes what, and where. */
export interface PublishTask {
  readonly actor: Actor
  readonly channel: CatalogChannel
  readonly content: PublishContent
  readonly approval: Approval
}

/**
 * Publishes a release: immutable from then on, status `published`, not offered yet.
 * Throws `unknown` (app, channel), `invalid` (a range in the targets, two artifacts for one
 * platform and arch), `duplicate` (the version exists on the channel) and `forbidden` (the channel requires
 * approval, and there is none).
 */
export async function publishRelease(
  catalog: Catalog,
  actor: Actor,
  channel: CatalogChannel,
  content: PublishContent,
  approval: Approval = null,
): Promise<ReleaseRecord> {
  refuseMalformed(content)
  return await catalog.change((tx) => publishIn(tx, catalog, { actor, channel, content, approval }))
}

/** Does the same as a part of a transaction. */
export async function publishIn(
  tx: CatalogWrites,
  catalog: Pick<Catalog, 'timestamp' | 'newId'>,
  { actor, channel, content, approval }: PublishTask,
): Promise<ReleaseRecord> {
  const { app, record } = channel
  const { version, rolloutPct, targets, artifacts } = content
  const subject = { app: app.ref, channel: record.name, version }
  const stored = await storedChannel(tx, channel)
  const after = { status: 'published', rolloutPct, targets } as const
  // A version that exists is refused as such: nobody needs to approve it.
  if ((await tx.release(record.key, version)) === undefined) {
    refuseUnapproved(stored, subject, { before: null, after }, approval)
  }
  const at = catalog.timestamp()
  const release = await refuseDuplicate({ code: 'release_exists', ...subject }, () =>
    tx.insertRelease({
      ...content,
      id: catalog.newId(),
      appKey: app.key,
      channelKey: record.key,
      status: 'published',
      createdAt: at,
    }),
  )
  const state = { ...after, artifacts: artifacts.length, ...requestedByOf(approval) }
  await tx.appendAudit(auditEntry(at, actor, 'release.published', subject, null, state))
  return release
}

/** Refuses what no channel would publish. Throws `invalid`: a range in the targets, two artifacts of a kind. */
export function refuseMalformed(content: PublishContent): void {
  refuseInvalidRanges(content.targets)
  refuseTwins(content)
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
