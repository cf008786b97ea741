import { z } from 'zod'

/**
 * What callers without a key can use up:
 * - `requests`: requests of one address in a minute; those beyond it are answered with 429
 * - `combinations`: versions, platforms and architectures that no release and no key has named, per app
 * - `new_devices`: devices that one address adds
 * - `sessions`: sessions that one address reports
 * - `labels`: bytes of the labels of a device
 * - `disk_space`: free space on the disk of the data folder
 */
export const BudgetName = z.enum([
  'requests',
  'combinations',
  'new_devices',
  'sessions',
  'labels',
  'disk_space',
])
export type BudgetName = z.infer<typeof BudgetName>

/** The setting that a limit is raised with, by its name in the configuration file. */
export const BUDGET_SETTINGS = {
  requests: 'deviceLimit',
  combinations: 'unreleasedLimit',
  new_devices: 'newDeviceLimit',
  sessions: 'sessionLimit',
  labels: 'labelBytes',
  disk_space: 'minFreeDisk',
} as const satisfies Record<BudgetName, string>

/** A limit that was reached within the last hour. */
export const UsedBudget = z
  .strictObject({
    name: BudgetName,
    since: z.iso.datetime().meta({
      description: 'When the limit was first reached, without a gap of an hour since then',
    }),
    last: z.iso.datetime().meta({ description: 'When the limit was last reached' }),
    count: z.int().meta({ description: 'How often the limit was reached since then' }),
  })
  .meta({ id: 'UsedBudget' })
export type UsedBudget = z.infer<typeof UsedBudget>
