import type { DecisionReason, UpdateManifest } from '../../shared/manifest.ts'
import { type DeviceFacts, decide, type TraceLine } from '../decision/decide.ts'
import { isUpdateRequired, manifestOf } from '../decision/manifest.ts'
import { compareVersions, type ParsedVersion } from '../decision/version.ts'
import { outcomeInWords } from './outcome-strings.ts'
import type { CatalogChannel } from './snapshot.ts'

/** Most releases out of service that are named. */
const MAX_OUT_OF_SERVICE = 5

/** A decision for people to read. */
export interface DecisionInWords {
  readonly reason: DecisionReason
  readonly update: UpdateManifest | null
  /** A line for each candidate, in the order in which they were tried. */
  readonly trace: readonly TraceLine[]
  /** The outcome in one sentence. */
  readonly summary: string
  /** What else had a say, in sentences. */
  readonly notes: readonly string[]
}

/** Decides as an update check of the device on the channel would, and says why. Changes nothing. */
export function explainDecision(channel: CatalogChannel, facts: DeviceFacts): DecisionInWords {
  const { compiled } = channel
  const trace: TraceLine[] = []
  const decision = decide(compiled, facts, trace)
  const { reason, release } = decision
  const update =
    release === null
      ? null
      : manifestOf(compiled, release, decision.artifact, facts.version, decision.allowDowngrade)
  return {
    reason,
    update,
    trace,
    summary: outcomeInWords(channel, facts, reason, trace, update),
    notes: [
      ...aboutRollback(channel, facts),
      ...aboutRequirement(channel, facts, update),
      ...aboutOutOfService(channel, facts.version),
      ...aboutDevice(channel, facts),
    ],
  }
}

function aboutRollback({ app, record, compiled }: CatalogChannel, { version }: DeviceFacts) {
  if (!compiled.rolledBack.has(version.text)) return []
  const place = `${app.ref}/${record.name}`
  const rule =
    compiled.policy.rollback === 'downgrade'
      ? 'sends a device on it down, to the newest published release below it'
      : 'rolls forward: releases above it are tried first, then those below it'
  return [`${version.text} was rolled back, and ${place} ${rule}.`]
}

function aboutRequirement(
  { app, record, compiled }: CatalogChannel,
  { version }: DeviceFacts,
  update: UpdateManifest | null,
): string[] {
  if (!isUpdateRequired(compiled, version)) return []
  const { minimumSupported, policy } = compiled
  if (compareVersions(version, minimumSupported) < 0) {
    const below = `${version.text} is below ${minimumSupported.text}, the minimum supported version`
    return [
      update === null
        ? `${below}, and still there is nothing for it to move to.`
        : `${below}, so the update is required.`,
    ]
  }
  return update === null || policy.updateMode === 'optional'
    ? []
    : [`Every update on ${app.ref}/${record.name} is required.`]
}

/** Releases above the device's version that nobody is offered, newest first. */
function aboutOutOfService({ compiled }: CatalogChannel, version: ParsedVersion): string[] {
  return compiled.releases
    .filter((release) => release.facts.status !== 'published')
    .filter((release) => compareVersions(release.version, version) > 0)
    .reverse()
    .slice(0, MAX_OUT_OF_SERVICE)
    .map(({ version: { text }, facts }) =>
      facts.status === 'paused'
        ? `${text} is paused, so nobody is offered it.`
        : `${text} was rolled back, so nobody is offered it again.`,
    )
}

function aboutDevice({ app }: CatalogChannel, { platform, arch }: DeviceFacts): string[] {
  const notes: string[] = []
  if (platform === '' || arch === '') {
    notes.push('The platform and architecture of the device are unknown, so no artifact matches.')
  }
  if (app.archivedAt !== null) {
    notes.push(`${app.ref} is archived: its devices are answered nothing until it is restored.`)
  }
  return notes
}
