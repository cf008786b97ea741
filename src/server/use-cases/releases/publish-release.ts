import type { PublishBody, Release } from '../../../shared/release.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { publishRelease as publishStored } from '../../catalog/releases/publish.ts'
import { showRelease } from '../../catalog/releases/show-release.ts'
import { approvalOf, findActiveChannel, type Principal } from '../principal.ts'

/**
 * Publishes a release (docs/api.md, "Publish a release"). Decisions follow it when it resolves. Needs the
 * role `release_manager`. Throws `unknown`, `forbidden`, `invalid`, `duplicate` and, for an archived app,
 * `invariant`.
 */
export async function publishRelease(
  { catalog }: { readonly catalog: Catalog },
  principal: Principal,
  body: PublishBody,
): Promise<Release> {
  const channel = findActiveChannel(await catalog.refresh(), principal, body, 'release_manager')
  const { app: _app, channel: _channel, ...content } = body
  const approval = approvalOf(principal)
  const release = await publishStored(catalog, principal.actor, channel, content, approval)
  return showRelease(channel, release)
}
