import { type DeviceFilterInput, MAX_EXPORT_DEVICES } from '../../../shared/console/devices.ts'
import type { ExportPiece } from '../../../shared/console/export.ts'
import { Refusal } from '../../catalog/errors.ts'
import type { ListedDevice } from '../../fleet/device-query.ts'
import type { ConsoleContext } from '../context.ts'
import { BYTE_ORDER_MARK, csv } from '../csv.ts'
import { channelName, deviceFilter } from './device-list.ts'

/** Devices that are read at once, on the reader thread. */
const SLICE = 1_000

const COLUMNS = [
  'deviceId',
  'channel',
  'version',
  'platform',
  'arch',
  'firstSeen',
  'lastSeen',
  'labels',
]

/**
 * Yields the matching devices as CSV (UTF-8, a header row, in the order of their ids), one piece for each slice that
 * is read. Devices that come or go meanwhile may be left out. Ends when `signal` is aborted. Throws the refusals
 * `unknown`, and `invalid` if there are more than one file holds.
 */
export async function* exportDevices(
  ctx: ConsoleContext,
  input: DeviceFilterInput,
  signal: AbortSignal | undefined,
): AsyncGenerator<ExportPiece, void> {
  const { snapshot, filter } = await deviceFilter(ctx, input)
  const showRow = ({ deviceId, profile, firstSeen, lastSeen, labels }: ListedDevice) => [
    deviceId,
    channelName(snapshot, profile.channelKey) ?? '',
    profile.version,
    profile.platform,
    profile.arch,
    new Date(firstSeen).toISOString(),
    new Date(lastSeen).toISOString(),
    Object.keys(labels).length === 0 ? '' : JSON.stringify(labels),
  ]
  let text = BYTE_ORDER_MARK + csv([COLUMNS])
  let done = 0
  let last = ''
  for (;;) {
    if (signal?.aborted === true) return
    const { rows, total, next } = await ctx.fleet.devices({
      ...filter,
      ...{ sort: 'deviceId', descending: false, backward: false, limit: SLICE },
      cursor: last === '' ? undefined : { key: last, device: 0 },
    })
    if (total > MAX_EXPORT_DEVICES) {
      throw new Refusal({ code: 'too_many_devices', devices: total, maximum: MAX_EXPORT_DEVICES })
    }
    // A list begins anew where the last devices are gone.
    const fresh = rows.filter(({ deviceId }) => deviceId > last)
    text += csv(fresh.map(showRow))
    done += fresh.length
    last = fresh.at(-1)?.deviceId ?? last
    const isLast = next === undefined || fresh.length === 0
    yield { text, done, total: isLast ? done : Math.max(total, done) }
    if (isLast) return
    text = ''
  }
}
