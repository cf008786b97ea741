import type { BudgetName, UsedBudget } from '../../shared/budgets.ts'
import { formatCounted } from '../../shared/wording/format.ts'

const WORDS: Readonly<Record<BudgetName, (count: number) => string>> = {
  combinations: (count) =>
    `Too many unknown versions and platforms: ${formatCounted(count, 'check-in')} counted as Other.`,
  new_devices: (count) =>
    `Too many new devices from one address: ${formatCounted(count, 'device was', 'devices were')} not added.`,
  labels: (count) =>
    `Too many labels on a device: labels of ${formatCounted(count, 'check-in')} not saved.`,
  disk_space: (count) =>
    `Disk space is low: ${formatCounted(count, 'new device or label set', 'new devices and label sets')} not saved. Free some disk space.`,
}

/** Returns which limit was reached and its effect, such as `… 1,204 check-ins counted as Other.` */
export function budgetWords({ name, count }: Pick<UsedBudget, 'name' | 'count'>): string {
  return WORDS[name](count)
}
