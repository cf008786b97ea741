import type { PreflightNotice } from '../../../shared/releases/preflight-policy.ts'
import type { PublishBody } from '../../../shared/releases/release.ts'
import { SERVER } from '../../catalog/audit-log.ts'
import { releaseOn } from '../../catalog/catalog.ts'
import { Refusal } from '../../catalog/errors.ts'
import type { ReleaseRecord } from '../../catalog/records.ts'
import { type ServingChange, servingAfter } from '../../catalog/releases/serving.ts'
import type { CatalogChannel } from '../../catalog/snapshot.ts'
import { broadens } from '../../rules/decision/broadening.ts'
import { stepServing } from '../../rules/plans/step-serving.ts'
import type { RunningPlan } from '../plans/plan-runner.ts'
import type { Asker } from '../principal.ts'
import { judgeRelease, newRelease, type PreflightParts, recentReport } from './preflight.ts'
import type { ChangeOfVersion } from './preview-serving.ts'

/** What an answer says of preflight. */
type Warned = { readonly preflight?: PreflightNotice }

/**
 * Judges a release before it is offered to devices, where its channel has preflight run, and refuses one that fails where
 * the channel requires it. Returns what was found. The transaction of the change refuses it if the policy is another one
 * by then (`refuseUnjudged`). Throws `preflight_failed` and `PreviewsBusy`, and rejects when `signal` is aborted.
 */
export async function requirePreflight(
  parts: PreflightParts,
  asker: Asker,
  channel: CatalogChannel,
  tried: ReleaseRecord,
  signal?: AbortSignal,
): Promise<Warned> {
  const { app, record } = channel
  const { preflight: policy } = record.policy
  if (policy === 'off') return {}
  const known = policy === 'warn' ? recentReport(parts.catalog, channel, tried) : undefined
  const report = known ?? (await judgeRelease(parts, asker, channel, tried, signal))
  const { verdict, refusing, findings } = report
  if (verdict === 'pass') return {}
  const isRefused = verdict === 'fail' && policy === 'required'
  const counted = findings.filter(({ severity, accepted }) => {
    return accepted === undefined && (severity === 'fail' || !isRefused)
  })
  const notice = { refusing, findings: [...new Set(counted.map(({ code }) => code))] }
  if (!isRefused) return { preflight: notice }
  const place = { app: app.ref, channel: record.name, version: tried.version }
  throw new Refusal({ code: 'preflight_failed', ...place, ...notice })
}

/** Does the same before a release is published to devices. A version that exists is refused as such. */
export async function requirePreflightOfNew(
  parts: PreflightParts,
  asker: Asker,
  channel: CatalogChannel,
  content: Pick<
    PublishBody,
    'version' | 'rolloutPct' | 'targets' | 'plan' | 'artifacts' | 'documents'
  >,
): Promise<Warned> {
  const { version, targets, artifacts, documents, rolloutPct, plan } = content
  if (releaseOn(channel, version) !== undefined) return {}
  if (rolloutPct === 0 && plan === undefined) return {}
  const at = parts.catalog.timestamp()
  const tried = newRelease(channel, version, { targets, artifacts, documents }, at)
  return await requirePreflight(parts, asker, channel, tried)
}

/** Does the same before more devices are offered a release. What `changeServing` refuses, it refuses itself. */
export async function requirePreflightOfChange(
  parts: PreflightParts,
  asker: Asker,
  channel: CatalogChannel,
  version: string,
  change: ServingChange,
): Promise<Warned> {
  const before = releaseOn(channel, version)?.facts
  if (channel.record.policy.preflight === 'off' || before === undefined) return {}
  const after = servingAfter(before, change)
  const isServed = after.status === 'published' && after.rolloutPct > 0
  if (!isServed || !broadens(before, after)) return {}
  return await requirePreflight(parts, asker, channel, { ...before, ...after })
}

/** Returns the same for a step of a plan, where the channel requires it: nobody reads warnings of a step. */
export function requirePreflightOfStep(parts: PreflightParts) {
  return (
    { channel, release, plan: { plan, targets } }: RunningPlan,
    step: number,
    ended?: AbortSignal,
  ): Promise<Warned> | undefined => {
    if (channel.record.policy.preflight !== 'required') return undefined
    const tried = { ...release, ...stepServing(plan, targets, step) }
    return requirePreflight(parts, { actor: SERVER }, channel, tried, ended)
  }
}

/** Does the same before a change request is applied, where the channel requires it: the answer has no room for warnings. */
export async function requirePreflightOfRequest(
  parts: PreflightParts,
  asker: Asker,
  channel: CatalogChannel,
  { version, change }: ChangeOfVersion,
): Promise<void> {
  if (channel.record.policy.preflight !== 'required') return
  if (change.kind === 'publish') {
    await requirePreflightOfNew(parts, asker, channel, { version, ...change })
  } else if (change.kind === 'serving') {
    await requirePreflightOfChange(parts, asker, channel, version, change)
  } else {
    const planned = releaseOn(channel, version)?.facts
    if (planned !== undefined) await requirePreflight(parts, asker, channel, planned)
  }
}
