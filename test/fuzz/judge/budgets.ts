import { z } from 'zod'
import { MAX_LABELS } from '../../../src/shared/devices/counting.ts'
import { type DataPlace, labelsAt, rowsAt } from '../../support/servers/rows.ts'

/** The budgets of a fuzzed server for callers without a key: small, so that they are used up. */
export const BUDGETS = {
  combinations: 40,
  newDevices: 60,
  labelBytes: 1_024,
  // The test must not depend on the free disk space.
  minFreeDiskMiB: 0,
} as const

const Labels = z.record(z.string(), z.string())

/** Returns the budgets that the rows of a database exceed. */
export async function overspent(place: DataPlace): Promise<string[]> {
  const ofApps = await rowsAt(
    place,
    `SELECT apps.ref, count(*)
      FROM profiles JOIN channels ON channels.key = channel_key JOIN apps ON apps.key = app_key
      WHERE named_by = 0 AND version <> '*' GROUP BY apps.ref`,
  )
  const combinations = ofApps
    .filter(([, count]) => Number(count) > BUDGETS.combinations)
    .map(([ref, count]) => `${ref} has ${count} combinations that nobody vouches for`)
  const [[devices] = []] = await rowsAt(place, 'SELECT count(*) FROM devices WHERE keyed = 0')
  // The budget refills while fuzzing, completely in an hour.
  const tooMany =
    Number(devices) > 2 * BUDGETS.newDevices ? [`${devices} devices came without a key`] : []
  const labels = (await labelsAt(place))
    .map((stored) => Object.entries(Labels.parse(stored)))
    .filter((entries) => {
      const bytes = entries.reduce((sum, entry) => sum + Buffer.byteLength(entry.join('')), 0)
      return entries.length > MAX_LABELS || bytes > BUDGETS.labelBytes
    })
    .map((entries) => `a device has ${entries.length} labels, or more bytes of them than allowed`)
  return [...combinations, ...tooMany, ...labels]
}
