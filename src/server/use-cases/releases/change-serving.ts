import type { ChangeId } from '../../../shared/history.ts'
import type { Release, ServingBody } from '../../../shared/release.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import {
  changeServing as changeStoredServing,
  type ServingChange,
} from '../../catalog/releases/serving.ts'
import { showRelease } from '../../catalog/releases/show-release.ts'
import { approvalOf, findActiveChannel, type Principal } from '../principal.ts'

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
  { catalog }: { readonly catalog: Catalog },
  principal: Principal,
  { app, channel: name, version, seenChange, ...change }: ServingChangeAt,
): Promise<{ readonly release: Release; readonly changed: boolean }> {
  const channel = findActiveChannel(
    await catalog.refresh(),
    principal,
    { app, channel: name },
    'release_manager',
  )
  const { actor } = principal
  const { release, changed } = await changeStoredServing(catalog, actor, channel, version, change, {
    seen: seenChange,
    approval: approvalOf(principal),
  })
  return { release: showRelease(channel, release), changed }
}
