import type { ChangeId } from '../../../shared/history.ts'
import type { PublishBody, Release, ServingBody } from '../../../shared/release.ts'
import { readVersion } from '../../../shared/version.ts'
import type { VersionVerdict } from '../../../shared/version-verdict.ts'
import { publishRelease as publishStored } from '../../catalog/releases/publish.ts'
import {
  changeServing as changeStoredServing,
  type ServingChange,
} from '../../catalog/releases/serving.ts'
import { showRelease } from '../../catalog/releases/show-release.ts'
import { compareVersions, prepareVersion } from '../../decision/version.ts'
import type { WithCatalog } from '../bind.ts'
import {
  approvalOf,
  type ChannelPlace,
  findActiveChannel,
  findChannel,
  type Principal,
} from '../principal.ts'

/**
 * Publishes a release (docs/api.md, "Publish a release"). Decisions follow it when it resolves. Needs the
 * role `release_manager`. Throws `unknown`, `forbidden`, `invalid`, `duplicate` and, for an archived app,
 * `invariant`.
 */
export async function publishRelease(
  { catalog }: WithCatalog,
  principal: Principal,
  body: PublishBody,
): Promise<Release> {
  const channel = findActiveChannel(await catalog.refresh(), principal, body, 'release_manager')
  const { app: _app, channel: _channel, ...content } = body
  const approval = approvalOf(principal)
  const release = await publishStored(catalog, principal.actor, channel, content, approval)
  return showRelease(channel, release)
}

/** A release, and how its serving is to change. */
export interface ServingChangeAt
  extends Pick<ServingBody, 'app' | 'channel' | 'version'>,
    ServingChange {
  /** The revision of the release that the change was decided on; undefined for any. */
  readonly seenChange?: ChangeId | undefined
}

/**
 * Changes how a release is served (docs/api.md, "Manage serving"). Decisions follow it when it resolves.
 * `changed` is false for a change that changes nothing. Needs the role `release_manager`. Throws `unknown`,
 * `forbidden`, `invalid`, `rolled_back` and `invariant`.
 */
export async function changeServing(
  { catalog }: WithCatalog,
  principal: Principal,
  { app, channel: name, version, seenChange, ...change }: ServingChangeAt,
): Promise<{ readonly release: Release; readonly changed: boolean }> {
  const place = { app, channel: name }
  const channel = findActiveChannel(await catalog.refresh(), principal, place, 'release_manager')
  const { actor } = principal
  const { release, changed } = await changeStoredServing(catalog, actor, channel, version, change, {
    seen: seenChange,
    approval: approvalOf(principal),
  })
  return { release: showRelease(channel, release), changed }
}

/**
 * Returns what publishing `version` on the channel would meet (docs/api.md, "Check a version"). Needs the role `viewer`. Throws `unknown` (app,
 * channel).
 */
export async function judgeVersion(
  { catalog }: WithCatalog,
  principal: Principal,
  { version: text, ...place }: ChannelPlace & { readonly version: string },
): Promise<VersionVerdict> {
  const { releases } = findChannel(await catalog.refresh(), principal, place, 'viewer').compiled
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
    return { state: 'lower', version: version.text, highest, asText }
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
