import { documentFor } from '../../../shared/artifacts/documents/document.ts'
import { canonicalPlatform } from '../../../shared/devices/aliases.ts'
import type {
  CandidateTrace,
  DecisionExplanation,
  DecisionNote,
} from '../../../shared/devices/explanation.ts'
import { isSystemVersion } from '../../../shared/devices/system-version.ts'
import { SignedUpdater, type UpdaterClient } from '../../../shared/files/updater.ts'
import type { UpdateManifest } from '../../../shared/releases/manifest.ts'
import { bundleVersionOf } from '../../../shared/releases/version.ts'
import type { CatalogChannel } from '../../catalog/snapshot.ts'
import type { ReleaseFacts } from '../../rules/decision/channel.ts'
import { type DeviceFacts, decide } from '../../rules/decision/decide.ts'
import { systemOf } from '../../rules/decision/device.ts'
import { earlyAccessOf } from '../../rules/decision/early-access.ts'
import { isUpdateRequired, manifestOf } from '../../rules/decision/manifest.ts'
import {
  comparePrecedence,
  compareVersions,
  type ParsedVersion,
} from '../../rules/decision/version.ts'
import { choiceOf } from '../../rules/updaters/clients.ts'
import { sparkleTakes } from '../../rules/updaters/sparkle-build.ts'
import { viewInFeed } from './check-feed.ts'

/** Maximum releases out of service that are named. */
const MAX_NOT_SERVED = 5

export interface ExplainedDecision extends DecisionExplanation {
  readonly update: UpdateManifest | null
}

/** Decides as an update check of the device, or the feed of a `client`, would, and returns why. Changes nothing. */
export function explainDecision(
  channel: CatalogChannel,
  facts: DeviceFacts,
  client?: UpdaterClient,
): ExplainedDecision {
  const { app, record } = channel
  const { version, platform, arch, bundle } = facts
  const choice = client && choiceOf(client, channel.compiled, facts)
  const compiled = choice === undefined ? channel.compiled : viewInFeed(channel, choice).channel
  const traced: CandidateTrace[] = []
  const decision = decide(compiled, choice === undefined ? facts : inFeed(facts, client), traced)
  const { reason, release } = decision
  const candidates = traced.map((each) =>
    each.outcome === 'no_artifact' && choice !== undefined ? { ...each, bundle, client } : each,
  )
  const update =
    release === null
      ? null
      : manifestOf(compiled, release, decision.artifact, version, decision.allowDowngrade)
  return {
    ...{ app: app.ref, channel: record.name, version: version.text, platform, arch, bundle },
    reason,
    update,
    offer: update && {
      version: update.version,
      updateMode: update.updateMode,
      allowDowngrade: update.allowDowngrade,
    },
    hasPublished: compiled.published.length > 0,
    candidates,
    notes: [
      ...aboutRollback(channel, version),
      ...aboutRequirement(channel, version, update !== null),
      ...aboutNotServed(channel, version),
      ...aboutDevice(channel, facts),
      ...(release === null ? [] : aboutDocuments(release.facts, facts)),
    ],
  }
}

/** A device as the feed of its updater decides on it: the files of the feed are of the kinds that its clients install. */
function inFeed(facts: DeviceFacts, client: UpdaterClient | undefined): DeviceFacts {
  const takes = client === 'sparkle' ? sparkleTakes(bundleVersionOf(facts.version)) : undefined
  return { ...facts, bundle: '', takes }
}

function aboutRollback({ compiled }: CatalogChannel, version: ParsedVersion): DecisionNote[] {
  if (compiled.rolledBack.has(version.text)) {
    return [{ code: 'version_rolled_back', rollback: compiled.policy.rollback }]
  }
  // To the decision, a version with other build metadata is another release, of which nothing is known.
  if (compiled.releases.some((release) => release.version.text === version.text)) return []
  return compiled.releases
    .filter(({ facts }) => facts.status === 'rolled_back')
    .filter((release) => comparePrecedence(release.version, version) === 0)
    .map((release) => ({ code: 'other_build_rolled_back', version: release.version.text }))
}

function aboutRequirement(
  { compiled }: CatalogChannel,
  version: ParsedVersion,
  isOffered: boolean,
): DecisionNote[] {
  if (!isUpdateRequired(compiled, version)) return []
  const { minimumSupported, policy } = compiled
  if (compareVersions(version, minimumSupported) < 0) {
    return [{ code: 'below_minimum', minimumSupported: minimumSupported.text }]
  }
  return isOffered && policy.updateMode !== 'optional' ? [{ code: 'updates_required' }] : []
}

/** Releases above the device's version that are not served, highest version first. */
function aboutNotServed({ compiled }: CatalogChannel, version: ParsedVersion): DecisionNote[] {
  const notes: DecisionNote[] = []
  for (const release of compiled.releases.toReversed()) {
    const { status } = release.facts
    if (status === 'published' || compareVersions(release.version, version) <= 0) continue
    notes.push({ code: 'not_served', version: release.version.text, status })
    if (notes.length === MAX_NOT_SERVED) break
  }
  return notes
}

/** Updaters whose devices get a document of a release that its publisher signed. */
function aboutDocuments(release: ReleaseFacts, { platform, arch }: DeviceFacts): DecisionNote[] {
  return SignedUpdater.options.flatMap((updater) => {
    const document = documentFor(release, updater, canonicalPlatform(platform), arch)
    return document === undefined ? [] : [{ code: 'signed_document', updater, name: document.name }]
  })
}

function aboutDevice({ app, compiled }: CatalogChannel, facts: DeviceFacts): DecisionNote[] {
  const { platform, arch, manual } = facts
  const system = systemOf(facts)
  const notes: DecisionNote[] = []
  const by = earlyAccessOf(compiled.earlyAccess, facts)
  if (by !== null) notes.push({ code: 'early_access', by })
  if (manual) notes.push({ code: 'manual_check', allowed: compiled.policy.manualChecks })
  if (platform === '' || arch === '') notes.push({ code: 'unknown_system' })
  if (compiled.hasFloors && system !== undefined && !isSystemVersion(platform, system)) {
    notes.push({ code: 'system_unreadable', system })
  }
  if (app.archivedAt !== null) notes.push({ code: 'app_archived' })
  return notes
}
