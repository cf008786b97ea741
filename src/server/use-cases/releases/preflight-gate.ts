import type { PublishBody } from '../../../shared/releases/release.ts'
import { releaseOn } from '../../catalog/catalog.ts'
import { Refusal } from '../../catalog/errors.ts'
import type { ReleaseRecord } from '../../catalog/records.ts'
import { type ServingChange, servingAfter } from '../../catalog/releases/serving.ts'
import type { CatalogChannel } from '../../catalog/snapshot.ts'
import type { Principal } from '../principal.ts'
import { judgeRelease, newRelease, type PreflightParts } from './preflight.ts'
import type { ChangeOfVersion } from './preview-serving.ts'

/**
 * Refuses to offer a release to devices where its channel requires preflight and it fails. Throws `preflight_failed` and
 * `PreviewsBusy`.
 */
export async function requirePreflight(
  parts: PreflightParts,
  principal: Principal,
  channel: CatalogChannel,
  tried: ReleaseRecord,
): Promise<void> {
  const { app, record } = channel
  if (record.policy.preflight !== 'required') return
  const { verdict, refusing, findings } = await judgeRelease(parts, principal, channel, tried)
  if (verdict !== 'fail') return
  const failed = findings.filter(({ severity, accepted }) => {
    return severity === 'fail' && accepted === undefined
  })
  const codes = [...new Set(failed.map(({ code }) => code))]
  const place = { app: app.ref, channel: record.name, version: tried.version }
  throw new Refusal({ code: 'preflight_failed', ...place, refusing, findings: codes })
}

/** Does the same before a release is published to devices. A version that exists is refused as such. */
export async function requirePreflightOfNew(
  parts: PreflightParts,
  principal: Principal,
  channel: CatalogChannel,
  content: Pick<
    PublishBody,
    'version' | 'rolloutPct' | 'targets' | 'plan' | 'artifacts' | 'documents'
  >,
): Promise<void> {
  const { version, targets, artifacts, documents, rolloutPct, plan } = content
  if (releaseOn(channel, version) !== undefined) return
  if (rolloutPct === 0 && plan === undefined) return
  const at = parts.catalog.timestamp()
  const tried = newRelease(channel, version, { targets, artifacts, documents }, at)
  await requirePreflight(parts, principal, channel, tried)
}

/** Does the same before more devices are offered a release. What `changeServing` refuses, it refuses itself. */
export async function requirePreflightOfChange(
  parts: PreflightParts,
  principal: Principal,
  channel: CatalogChannel,
  version: string,
  change: ServingChange,
): Promise<void> {
  const before = releaseOn(channel, version)?.facts
  if (channel.record.policy.preflight !== 'required' || before === undefined) return
  const after = servingAfter(before, change)
  const isServed = after.status === 'published' && after.rolloutPct > 0
  const isMore =
    before.status !== 'published' ||
    after.rolloutPct > before.rolloutPct ||
    (change.targets !== undefined && after.targets !== before.targets)
  if (isServed && isMore) await requirePreflight(parts, principal, channel, { ...before, ...after })
}

/** Does the same before a change request is applied. */
export async function requirePreflightOfRequest(
  parts: PreflightParts,
  principal: Principal,
  channel: CatalogChannel,
  { version, change }: ChangeOfVersion,
): Promise<void> {
  if (change.kind === 'publish') {
    return await requirePreflightOfNew(parts, principal, channel, { version, ...change })
  }
  if (change.kind === 'serving') {
    return await requirePreflightOfChange(parts, principal, channel, version, change)
  }
  const planned = releaseOn(channel, version)?.facts
  if (planned !== undefined) await requirePreflight(parts, principal, channel, planned)
}
