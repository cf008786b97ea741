import { Table } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { DeviceListItem, DeviceSort, SortOrder } from '../../../shared/console/devices.ts'
import rows from '../../components/list/linked-rows.module.css'
import { VersionBadge } from '../../components/release/version-badge.tsx'
import { MiddleText } from '../../components/text/middle-text.tsx'
import { Ago, Small } from '../../components/text/words.tsx'
import { paths } from '../../paths.ts'
import { labelsInWords, systemInWords, text } from '../strings.ts'
import classes from './devices.module.css'
import { firstOrder } from './filters.ts'

interface Props {
  readonly app: string
  readonly devices: readonly DeviceListItem[]
  readonly sort: DeviceSort
  readonly order: SortOrder
  readonly onSort: (sort: DeviceSort, order: SortOrder) => void
}

/** Devices as rows; the link in the first cell covers the row. */
export function DevicesTable({ app, devices, sort, order, onSort }: Props) {
  const sorting = { by: sort, order, onSort }
  return (
    <Table.ScrollContainer minWidth={640} type="native" className="sheet">
      <Table className={rows.table} horizontalSpacing={8} aria-label={text.devicesOf(app)}>
        <Table.Thead>
          <Table.Tr>
            <SortHeader name={text.device} sort="deviceId" {...sorting} />
            <SortHeader name={text.version} sort="version" {...sorting} />
            <Table.Th>{text.channel}</Table.Th>
            <Table.Th>{text.platform}</Table.Th>
            <Table.Th className={rows.minor}>{text.labels}</Table.Th>
            <SortHeader
              name={text.firstSeen}
              sort="firstSeen"
              className={rows.minor}
              {...sorting}
            />
            <SortHeader name={text.lastSeen} sort="lastSeen" {...sorting} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {devices.map((device) => (
            <DeviceRow key={device.deviceId} app={app} device={device} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function DeviceRow({ app, device }: { readonly app: string; readonly device: DeviceListItem }) {
  const labels = labelsInWords(device.labels)
  return (
    <Table.Tr className={rows.row}>
      <Table.Td className={classes.device}>
        <Link
          className={`${rows.link} ${classes.link}`}
          to={paths.device(app, device.deviceId)}
          // Its box covers the row, the text with a title of its own included.
          title={device.deviceId}
        >
          <MiddleText>{device.deviceId}</MiddleText>
        </Link>
      </Table.Td>
      <Table.Td className={classes.version}>
        <VersionBadge app={app} version={device.version} />
      </Table.Td>
      <Table.Td>{device.channel ?? '–'}</Table.Td>
      <Table.Td className="cut">{systemInWords(device)}</Table.Td>
      <Table.Td className={`${classes.labels} ${rows.minor}`}>
        <Small span className="cut" title={labels}>
          {labels || '–'}
        </Small>
      </Table.Td>
      <Table.Td className={`${rows.above} ${classes.when} ${rows.minor}`}>
        <Ago at={device.firstSeen} />
      </Table.Td>
      <Table.Td className={`${rows.above} ${classes.when}`}>
        <Ago at={device.lastSeen} />
      </Table.Td>
    </Table.Tr>
  )
}

interface SortHeaderProps {
  readonly sort: DeviceSort
  readonly name: string
  /** By what the list is sorted now. */
  readonly by: DeviceSort
  readonly order: SortOrder
  readonly className?: string | undefined
  readonly onSort: (sort: DeviceSort, order: SortOrder) => void
}

/** The heading of a column that sorts the list; chosen again it turns the order round. */
function SortHeader({ sort, name, by, order, className, onSort }: SortHeaderProps) {
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
