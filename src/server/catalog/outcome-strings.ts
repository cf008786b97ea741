import type { DecisionReason, UpdateManifest } from '../../shared/manifest.ts'
import type { DeviceFacts, TraceLine } from '../decision/decide.ts'
import type { CatalogChannel } from './snapshot.ts'

/** The outcome of a decision in one sentence. */
export function outcomeInWords(
  { app, record, compiled }: CatalogChannel,
  { version, platform, arch }: DeviceFacts,
  reason: DecisionReason,
  trace: readonly TraceLine[],
  update: UpdateManifest | null,
): string {
  const newest = trace[0]?.version
  const offered = `${update?.version} (${update?.updateMode})`
  switch (reason) {
    case 'update':
      return `Update: it is offered ${offered}.`
    case 'rollback':
      return `Roll-back: ${version.text} was rolled back, so it is sent down to ${offered}.`
    case 'up_to_date':
      return `No update: it is up to date, for nothing above ${version.text} is published.`
    case 'no_release':
      return compiled.published.length === 0
        ? `No update: nothing is published on ${app.ref}/${record.name}.`
        : `No update: ${version.text} was rolled back, and nothing below it is published.`
    case 'not_targeted':
      return `No update: the targets of ${newest} do not mean it.`
    case 'outside_cohort':
      return `No update: it is outside the rollout of ${newest}.`
    case 'no_artifact':
      return `No update: ${newest} has no artifact for ${platform} ${arch}.`
  }
}
