import type { ChangeId } from '../../../shared/events/audit.ts'
import type { PublishBody, Release, ServingBody } from '../../../shared/releases/release.ts'
import { bundleVersionOf, readVersion } from '../../../shared/releases/version.ts'
import type { VersionVerdict } from '../../../shared/releases/version-verdict.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { publishRelease as publishStored } from '../../catalog/releases/publish.ts'
import {
  changeServing as changeStoredServing,
  type ServingChange,
} from '../../catalog/releases/serving.ts'
import { showRelease } from '../../catalog/releases/show-release.ts'
import * as stops from '../../catalog/releases/stop.ts'
import { compareVersions, prepareVersion } from '../../rules/decision/version.ts'
import { blockingInElectron } from '../../rules/updaters/electron-files.ts'
import { blockingInSparkle } from '../../rules/updaters/sparkle-build.ts'
import type { WithCatalog } from '../bind.ts'
import {
  approvalOf,
  type ChannelPlace,
  findActiveChannel,
  findChannel,
  type Principal,
} from '../principal.ts'
import type { PreflightParts } from './preflight.ts'
import { requirePreflightOfChange, requirePreflightOfNew } from './preflight-gate.ts'

/**
 * Publishes a release (docs/api.md, "Publish a release"). Decisions follow it when it resolves. Needs the
 * role `release_manager`. Throws `unknown`, `forbidden`, `invalid`, `duplicate` and, for an archived app,
 * `invariant`, and `preflight_failed` where the channel requires preflight.
 */
export async function publishRelease(
  parts: PreflightParts,
  principal: Principal,
  body: PublishBody,
): Promise<Release> {
  const { catalog } = parts
  const channel = findActiveChannel(await catalog.refresh(), principal, body, 'release_manager')
  const { app: _app, channel: _channel, ...content } = body
  const approval = approvalOf(principal)
  const found = await requirePreflightOfNew(parts, principal, channel, content)
  const release = await publishStored(catalog, principal.actor, channel, content, approval)
  return { ...showRelease(channel, release), ...found }
}

export interface ServingChangeAt
  extends Pick<ServingBody, 'app' | 'channel' | 'version'>,
    ServingChange {
  /** The revision of the release that the change was decided on; undefined for any. */
  readonly seenChange?: ChangeId | undefined
}

/**
 * Changes how a release is served (docs/api.md, "Manage serving"). Decisions follow it when it resolves.
 * `changed` is false for a change that changes nothing. Needs the role `release_manager`. Throws `unknown`,
 * `forbidden`, `invalid`, `rolled_back`, `invariant` and `preflight_failed`.
 */
export async function changeServing(
  parts: PreflightParts,
  principal: Principal,
  { app, channel: name, version, seenChange, ...change }: ServingChangeAt,
): Promise<{ readonly release: Release; readonly changed: boolean }> {
  const { catalog } = parts
  const place = { app, channel: name }
  const channel = findActiveChannel(await catalog.refresh(), principal, place, 'release_manager')
  const { actor } = principal
  const found = await requirePreflightOfChange(parts, principal, channel, version, change)
  const { release, changed } = await changeStoredServing(catalog, actor, channel, version, change, {
    seen: seenChange,
    approval: approvalOf(principal),
  })
  return { release: { ...showRelease(channel, release), ...found }, changed }
}

type ReleaseAt = ChannelPlace & { readonly version: string }

/**
 * Pauses a release at once, whatever was seen of it before, and returns the change that `undoStop` takes; null where the
 * caller cannot undo it. Needs the role `release_manager`. Throws `unknown`, `forbidden`, `rolled_back` and `invariant`.
 */
export async function stopRelease(
  { catalog }: WithCatalog,
  principal: Principal,
  place: ReleaseAt,
): Promise<ChangeId | null> {
  return await stops.stopRelease(catalog, await stopOf(catalog, principal, place))
}

/**
 * Takes back the stop with that change, and what it did to a plan. Needs the role `release_manager`. Throws as `stopRelease`
 * does, `forbidden` (a channel that requires approval) and `invariant` once anything else has changed.
 */
export async function undoStop(
  { catalog }: WithCatalog,
  principal: Principal,
  { stop: seen, ...place }: ReleaseAt & { readonly stop: ChangeId },
): Promise<void> {
  await stops.undoStop(catalog, { ...(await stopOf(catalog, principal, place)), seen })
}

/** Records why a release was stopped. Needs the role `release_manager`. Throws as `undoStop` does. */
export async function explainStop(
  { catalog }: WithCatalog,
  principal: Principal,
  { reason, ...place }: ReleaseAt & { readonly reason: string },
): Promise<void> {
  await stops.explainStop(catalog, await stopOf(catalog, principal, place), reason)
}

async function stopOf(catalog: Catalog, principal: Principal, { version, ...place }: ReleaseAt) {
  const channel = findActiveChannel(await catalog.refresh(), principal, place, 'release_manager')
  return { actor: principal.actor, channel, version }
}

/** Returns what publishing `version` would meet (docs/api.md, "Check a version"). Needs the role `viewer`. Throws `unknown`. */
export async function judgeVersion(
  { catalog }: WithCatalog,
  principal: Principal,
  { version: text, ...place }: ReleaseAt,
): Promise<VersionVerdict> {
  const channel = findChannel(await catalog.refresh(), principal, place, 'viewer').compiled
  const { releases } = channel
  const last = releases.at(-1)?.version
  const read = readVersion(text.trim())
  if (!read.ok) return { state: 'invalid', reason: read.reason }
  const version = prepareVersion(read.version)
  const twin = releases.find((release) => release.version.text === version.text)
  if (twin !== undefined) {
    return { state: 'duplicate', version: version.text, status: twin.facts.status }
  }
  if (last === undefined) return { state: 'free', highest: null }
  const highest = last.text
  if (compareVersions(version, last) < 0) {
    const asText = orderedAsText(version.prerelease, last.prerelease)
    const downgrades =
      channel.policy.rollback === 'downgrade' &&
      releases.every(({ facts, version: other }) => {
        return facts.status === 'rolled_back' || compareVersions(other, version) < 0
      })
    return { state: 'lower', version: version.text, highest, asText, downgrades }
  }
  const blocking = blockingInSparkle(channel, version)
  if (blocking !== undefined) {
    return {
      ...{ state: 'not_above_for_sparkle', version: version.text, highest: blocking.text },
      ...{ build: bundleVersionOf(version), highestBuild: bundleVersionOf(blocking) },
    }
  }
  const same = blockingInElectron(channel, version)
  if (same !== undefined) {
    return { state: 'same_for_electron', version: version.text, highest: same.text }
  }
  const isFirst =
    version.prerelease.length > 0 &&
    releases.every((release) => release.version.prerelease.length === 0)
  return isFirst
    ? { state: 'first_prerelease', version: version.text, highest }
    : { state: 'free', highest }
}

const WORD_AND_NUMBER = /^([A-Za-z-]+)(\d+)$/

/** Returns the parts by which the first pre-release is lower although its number is higher; null if there are none. */
function orderedAsText(one: readonly string[], other: readonly string[]) {
  const at = one.findIndex((part, index) => part !== other[index])
  const [lower = '', higher = ''] = [one[at], other[at]]
  const [, word, number] = WORD_AND_NUMBER.exec(lower) ?? []
  const [, otherWord, otherNumber] = WORD_AND_NUMBER.exec(higher) ?? []
  const isAsText = word !== undefined && word === otherWord && Number(number) > Number(otherNumber)
  return isAsText ? { lower, higher } : null
}
