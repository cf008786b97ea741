import type { LabelMap } from '../../../../../shared/names.ts'
import type { DeviceName } from '../../../../fleet/facts.ts'
import { asSent, type LabelDelta, mergeLabels, NO_LABELS } from '../../../../fleet/labels.ts'
import { integers } from '../../connection/arrays.ts'
import type { Transaction } from '../../connection/queries.ts'
import { isOpen } from '../removal/closing-channels.ts'
import type { BatchDevices } from './batch-devices.ts'
import { byName } from './fact.ts'
import type { SliceWork } from './slice-work.ts'
import { labelsFromText, labelsToText } from './stored-labels.ts'

/** Details of a release that are kept. */
const KEPT_DETAILS = 100

const SQL = {
  // They are not removed until the transaction ends.
  profiles: `SELECT id FROM profiles WHERE id = ANY($1::integer[])
    AND ${isOpen('profiles.channel_key')} FOR KEY SHARE OF profiles`,
  addDetails: `INSERT INTO outcome_details (release, check_in, device, at, detail)
    SELECT * FROM unnest($1::integer[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[])`,
  trimDetails: `DELETE FROM outcome_details o WHERE release = ANY($1::integer[]) AND check_in <= (
    SELECT check_in FROM outcome_details WHERE release = o.release
    ORDER BY check_in DESC OFFSET ${KEPT_DETAILS} LIMIT 1)`,
  labels: 'SELECT device, labels FROM device_labels WHERE device = ANY($1::bigint[])',
  setLabels: `INSERT INTO device_labels AS known (device, labels)
    SELECT device, labels::jsonb FROM unnest($1::bigint[], $2::text[]) AS changed (device, labels)
    ORDER BY device ON CONFLICT (device) DO UPDATE SET labels = excluded.labels`,
} as const

const WRITE = `SELECT write_telemetry_3(${Array.from({ length: 48 }, (_, at) => `$${at + 1}`).join(', ')}) AS added`

/**
 * Keeps profiles from being removed until the transaction ends, but for those that are `held` already. Returns those that do
 * not exist any more, or whose channel is being removed.
 */
export async function holdProfiles(
  tx: Transaction,
  ids: ReadonlySet<number>,
  held: ReadonlySet<number>,
): Promise<number[]> {
  const free = [...ids].filter((id) => !held.has(id))
  if (free.length === 0) return []
  const rows = await tx.rows<{ id: number }>(SQL.profiles, [free])
  const found = new Set(rows.map(({ id }) => id))
  return free.filter((id) => !found.has(id))
}

/** Writes everything but labels. Returns false if another node has added one of the new devices meanwhile. */
export async function writeWork(
  tx: Transaction,
  slot: number,
  work: SliceWork,
  devices: BatchDevices,
): Promise<boolean> {
  const idOf = (device: number) => devices.id(device) ?? 0
  const { table } = devices
  const moved = [...work.moved].filter((device) => !work.added.has(device))
  const added = [...work.added.keys()].sort((one, other) =>
    byName(devices.name(one), devices.name(other)),
  )
  const states = (numbers: readonly number[]) => [
    integers(numbers, (device) => table.profile(device)),
    integers(numbers, (device) => table.lastSeen(device)),
    integers(numbers, (device) => table.lastCheckIn(device)),
    integers(numbers, (device) => table.lastChange(device)),
    integers(numbers, (device) => table.episode(device)),
    integers(numbers, (device) => table.offeredAt(device)),
    integers(numbers, (device) => table.evidence(device)),
  ]
  const { log, changes } = work
  const { adoption, hourly, presence, health, traffic } = work.counted()
  const row = await tx.row<{ added: number }>(WRITE, [
    slot,
    moved.map((device) => devices.tid(device)),
    ...states(moved),
    integers(added, idOf),
    integers(added, (device) => devices.name(device).appKey),
    added.map((device) => devices.name(device).deviceId),
    integers(added, (device) => work.added.get(device)?.firstSeen ?? 0),
    ...states(added),
    integers(added, (device) => (work.added.get(device)?.keyed === false ? 0 : 1)),
    integers(log, ({ id }) => id),
    integers(log, ({ device }) => (device === 0 ? 0 : idOf(device))),
    integers(log, ({ at }) => at),
    integers(log, ({ profile }) => profile),
    integers(log, ({ kind }) => kind),
    integers(log, ({ previous }) => previous),
    integers(changes, ({ device }) => idOf(device)),
    integers(changes, ({ id }) => id),
    integers(changes, ({ at }) => at),
    integers(changes, ({ profile }) => profile),
    ...columns(adoption, 3),
    ...columns(hourly, 3),
    ...columns(presence, 3),
    ...columns(health, 3),
    ...columns(traffic, 5),
  ])
  if (row?.added !== added.length) return false
  await writeDetails(tx, work, idOf)
  return true
}

/** Labels of a device after a batch. */
export interface ChangedLabels extends DeviceName {
  readonly labels: LabelMap
}

/** Merges changes of labels into the stored ones. `onExcess` is called for each device whose labels did not all fit. */
export async function writeLabels(
  tx: Transaction,
  deltas: ReadonlyMap<number, LabelDelta>,
  devices: BatchDevices,
  maxBytes: number,
  onExcess: () => void,
): Promise<ChangedLabels[]> {
  if (deltas.size === 0) return []
  const ids = [...deltas.keys()].map((device) => devices.id(device) ?? 0)
  const rows = await tx.rows<{ device: number; labels: string }>(SQL.labels, [ids])
  const stored = new Map(rows.map(({ device, labels }) => [device, labelsFromText(labels)]))
  const changed: (ChangedLabels & { readonly id: number })[] = []
  for (const [device, delta] of deltas) {
    const id = devices.id(device) ?? 0
    const { kept, excess } = mergeLabels(stored.get(id) ?? NO_LABELS, asSent(delta), maxBytes)
    if (excess > 0) onExcess()
    changed.push({ id, ...devices.name(device), labels: kept })
  }
  await tx.run(SQL.setLabels, [
    changed.map(({ id }) => id),
    changed.map(({ labels }) => labelsToText(labels)),
  ])
  return changed.map(({ appKey, deviceId, labels }) => ({ appKey, deviceId, labels }))
}

async function writeDetails(
  tx: Transaction,
  { details }: SliceWork,
  idOf: (device: number) => number,
): Promise<void> {
  if (details.length === 0) return
  const releases = details.map(({ release }) => release)
  await tx.run(SQL.addDetails, [
    releases,
    details.map(({ checkIn }) => checkIn),
    details.map(({ device }) => idOf(device)),
    details.map(({ at }) => at),
    details.map(({ detail }) => detail.replaceAll('\0', '\uFFFD')),
  ])
  await tx.run(SQL.trimDetails, [[...new Set(releases)]])
}

/** Divides packed rows of that width into columns. */
function columns(packed: Float64Array, width: number): Buffer[] {
  const rows = Array.from({ length: packed.length / width }, (_, row) => row * width)
  return Array.from({ length: width }, (_, column) =>
    integers(rows, (first) => packed[first + column] ?? 0),
  )
}
