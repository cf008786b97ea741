import { Table } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import type { DeviceSort, SortOrder } from '../../../shared/console/devices.ts'
import classes from './devices.module.css'
import { firstOrder } from './filters.ts'

interface Props {
  readonly sort: DeviceSort
  readonly name: string
  /** By what the list is sorted now. */
  readonly by: DeviceSort
  readonly order: SortOrder
  readonly className?: string | undefined
  readonly onSort: (sort: DeviceSort, order: SortOrder) => void
}

/** The heading of a column that sorts the list; chosen again it turns the order round. */
export function SortHeader({ sort, name, by, order, className, onSort }: Props) {
  const chosen = by === sort
  const turned = order === 'asc' ? 'desc' : 'asc'
  const shown = chosen ? order : firstOrder(sort)
  const Mark = shown === 'asc' ? IconChevronUp : IconChevronDown
  const ariaSort = chosen ? (order === 'asc' ? 'ascending' : 'descending') : 'none'
  return (
    <Table.Th aria-sort={ariaSort} className={className}>
      <button
        type="button"
        className={classes.sort}
        data-chosen={chosen}
        onClick={() => onSort(sort, chosen ? turned : firstOrder(sort))}
      >
        {name}
        <Mark className={classes.mark} size={14} aria-hidden="true" />
      </button>
    </Table.Th>
  )
}
