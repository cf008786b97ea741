import type { ChangeId } from '../../../shared/events/audit.ts'
import type { Observed } from '../../rules/judging/counted.ts'
import type { Actor } from '../audit-log.ts'
import { unknownRelease } from '../catalog.ts'
import { Refusal } from '../errors.ts'
import type { ChannelRecord, ReleaseRecord } from '../records.ts'
import { refuseChangedSince } from '../seen-changes.ts'
import type { CatalogChannel } from '../snapshot.ts'
import type { CatalogReads } from '../store.ts'
import { storedChannel } from '../stored.ts'
import type { PlanRecord } from './plan-record.ts'

export interface PlanChange {
  readonly actor: Actor
  readonly channel: CatalogChannel
  readonly version: string
  /** The revision of the release that the change was decided on, see `refuseChangedSince`. */
  readonly seen?: ChangeId | undefined
  /** What became of the devices that were offered the release; undefined if none can have been. */
  readonly observed?: Observed | undefined
}

/** Throws `plan_ended` for a plan whose status is not allowed, and for one of a release that was rolled back. */
export function refuseEnded(
  { status, reason }: PlanRecord,
  { version }: ReleaseRecord,
  allowed: readonly PlanRecord['status'][],
): void {
  if (!allowed.includes(status) || reason === 'rolled_back') {
    throw new Refusal({ code: 'plan_ended', version, status })
  }
}

interface Found {
  readonly stored: ChannelRecord
  readonly release: ReleaseRecord
  readonly record: PlanRecord | undefined
  readonly subject: { readonly app: string; readonly channel: string; readonly version: string }
}

/** Finds a release, its channel and its plan as they are stored now. Throws `unknown`, and `invariant` for a change since `seen`. */
export async function findPlan(
  tx: CatalogReads,
  { channel, version, seen }: PlanChange,
): Promise<Found> {
  const stored = await storedChannel(tx, channel)
  const release = await tx.release(stored.key, version)
  if (release === undefined) throw unknownRelease(channel, version)
  const subject = { app: channel.app.ref, channel: stored.name, version }
  await refuseChangedSince(tx, subject, seen)
  return { stored, release, record: await tx.plan(release.id), subject }
}

/** The same, but throws `unknown_plan` if the release has none. */
export async function requirePlan(
  tx: CatalogReads,
  change: PlanChange,
): Promise<Found & { readonly record: PlanRecord }> {
  const { record, ...found } = await findPlan(tx, change)
  if (record === undefined) throw new Refusal({ code: 'unknown_plan', ...found.subject })
  return { ...found, record }
}
