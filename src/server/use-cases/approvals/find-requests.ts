import { includesRole } from '../../../shared/access/role.ts'
import type {
  ChangeRequestDetail,
  ChangeRequestItem,
} from '../../../shared/releases/change-request.ts'
import { closingOf } from '../../catalog/approvals/approval.ts'
import { releaseOn } from '../../catalog/catalog.ts'
import { Refusal } from '../../catalog/errors.ts'
import type { ChangeRequestRecord } from '../../catalog/records.ts'
import { historyOf } from '../../catalog/seen-changes.ts'
import type { CatalogChannel } from '../../catalog/snapshot.ts'
import type { ServingState } from '../../catalog/store.ts'
import type { People } from '../../people/people.ts'
import { roleIn } from '../access.ts'
import type { WithCatalog } from '../bind.ts'
import { type ChannelPlace, findApp, type Principal, visibleApps } from '../principal.ts'
import { areIndependent } from './second-person.ts'

interface PartsWithPeople extends WithCatalog {
  readonly people: Pick<People, 'voucherOf'>
}

/** Most change requests of a list. */
const MAX_LISTED = 200

/** Returns the change requests of the visible apps, newest first, at most 200: open ones, or those closed in the last 90 days. */
export async function listChangeRequests(
  { catalog, people }: PartsWithPeople,
  principal: Principal,
  { state }: { readonly state: 'open' | 'closed' },
): Promise<ChangeRequestItem[]> {
  const snapshot = await catalog.refresh()
  const appKeys = visibleApps(snapshot, principal).map(({ record }) => record.key)
  const records = await catalog.store.changeRequests({ appKeys, state, limit: MAX_LISTED })
  const { channelByKey } = snapshot
  const now = catalog.now()
  return records.flatMap((record) => {
    const channel = channelByKey.get(record.channelKey)
    return channel === undefined ? [] : [show(people, record, channel, principal, now)]
  })
}

/** Returns how many change requests the principal could decide on, among the 200 latest. */
export async function countPendingRequests(
  parts: PartsWithPeople,
  principal: Principal,
): Promise<number> {
  const open = await listChangeRequests(parts, principal, { state: 'open' })
  return open.filter(({ mayDecide }) => mayDecide).length
}

/** Returns a change request with all of the change. Needs the role `viewer`. Throws `unknown`. */
export async function getChangeRequest(
  parts: PartsWithPeople,
  principal: Principal,
  { id }: { readonly id: string },
): Promise<ChangeRequestDetail> {
  const { catalog } = parts
  const found = await findRequest(parts, principal, id)
  const { version } = found.request
  const { lastChange } = await historyOf(catalog.store, { ...found.place, version }, 1)
  // The state is read after its revision.
  const { request, channel } = await findRequest(parts, principal, id)
  const release = releaseOn(channel, version)?.facts
  return {
    ...show(parts.people, request, channel, principal, catalog.now()),
    current: release === undefined ? null : { ...servingOf(release), lastChange },
    channelRevision: channel.record.revision,
  }
}

function servingOf({
  targets,
  rolloutPct,
  status,
}: ServingState): Omit<ServingState, 'awaitsProof'> {
  return { targets, rolloutPct, status }
}

export interface FoundRequest {
  readonly request: ChangeRequestRecord
  readonly channel: CatalogChannel
  readonly place: ChannelPlace
}

/** Returns a change request of an app that the principal can view. Throws `unknown`, also for one they do not see, and `forbidden`. */
export async function findRequest(
  { catalog }: WithCatalog,
  principal: Principal,
  id: string,
): Promise<FoundRequest> {
  const snapshot = await catalog.refresh()
  const request = await catalog.store.changeRequest(id)
  const channel = request && snapshot.channelByKey.get(request.channelKey)
  const seen = visibleApps(snapshot, principal).some(({ record }) => record.key === request?.appKey)
  if (request === undefined || channel === undefined || !seen) {
    throw new Refusal({ code: 'unknown_change_request' })
  }
  findApp(snapshot, principal, channel.app.ref, 'viewer')
  return { request, channel, place: { app: channel.app.ref, channel: channel.record.name } }
}

/** Returns a record as the principal sees it. */
function show<Change>(
  people: PartsWithPeople['people'],
  record: ChangeRequestRecord<Change>,
  { app, record: { name } }: CatalogChannel,
  { access, person }: Principal,
  now: number,
) {
  const { id, version, change, comment, preview, proposer, proposedBy, proposedAt } = record
  const closed = closingOf(record, now)
  const isOpen = closed === null && person !== undefined
  const isSecond = isOpen && areIndependent(people, person, proposer)
  const mayRelease = includesRole(roleIn(access, app.key), 'release_manager')
  return {
    ...{ id, app: app.ref, channel: name, version, change, comment, preview, proposedBy },
    ...{ proposedAt, expiresAt: record.expiresAt, closed },
    mayDecide: isSecond && mayRelease && app.archivedAt === null,
    mayWithdraw: isOpen && person === proposer,
  }
}
