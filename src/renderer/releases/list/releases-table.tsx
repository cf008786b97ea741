import { Table, Text, VisuallyHidden } from '@mantine/core'
import { IconCheck, IconTarget } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { ReleaseListItem } from '../../../shared/console/releases.ts'
import { formatCount } from '../../../shared/wording/format.ts'
import rows from '../../components/list/linked-rows.module.css'
import { Panel } from '../../components/panel.tsx'
import { RolloutBar } from '../../components/release/rollout-bar.tsx'
import { StatusBadge } from '../../components/release/status-badge.tsx'
import { VersionBadge } from '../../components/release/version-badge.tsx'
import { When } from '../../components/text/when.tsx'
import { paths } from '../../paths.ts'
import classes from './releases-table.module.css'
import { text } from './strings.ts'

interface Props {
  readonly releases: readonly ReleaseListItem[]
  /** How many there are on all pages. */
  readonly total: number
}

/** Releases as rows; the link in the first cell covers the row. */
export function ReleasesTable({ releases, total }: Props) {
  return (
    <Panel flush title={<span role="status">{text.count(total)}</span>}>
      <Table className={`${rows.table} ${classes.table}`} aria-label={text.title}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text.release}</Table.Th>
            <Table.Th>{text.status}</Table.Th>
            <Table.Th>{text.rollout}</Table.Th>
            <Table.Th>{text.targets}</Table.Th>
            <Table.Th className={rows.minor}>{text.offered}</Table.Th>
            <Table.Th className={rows.minor} ta="end">
              {text.artifacts}
            </Table.Th>
            <Table.Th ta="end">{text.devices}</Table.Th>
            <Table.Th>{text.published}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {releases.map((release) => (
            <ReleaseRow
              key={`${release.app}/${release.channel}/${release.version}`}
              release={release}
            />
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  )
}

function ReleaseRow({ release }: { readonly release: ReleaseListItem }) {
  const { app, channel, version, status, rolloutPct, targeted, offered } = release
  return (
    <Table.Tr className={rows.row}>
      <Table.Td className={classes.release}>
        <Link
          className={`${rows.link} ${classes.link}`}
          to={paths.release({ app, channel, version })}
        >
          <VersionBadge app={app} version={version} />
          <VisuallyHidden>{text.of}</VisuallyHidden>
          <Text
            span
            size="xs"
            c="dimmed"
            className={`${classes.place} cut`}
            title={`${app}/${channel}`}
          >
            {`${app}/${channel}`}
          </Text>
        </Link>
      </Table.Td>
      <Table.Td>
        <StatusBadge status={status} />
      </Table.Td>
      <Table.Td className={classes.rollout}>
        <RolloutBar pct={rolloutPct} active={status === 'published'} />
      </Table.Td>
      <Table.Td>
        <Mark set={targeted} icon={IconTarget} yes={text.targeted} no={text.all} />
      </Table.Td>
      <Table.Td className={rows.minor}>
        <Mark set={offered} icon={IconCheck} yes={text.yes} no={text.notYet} />
      </Table.Td>
      <Table.Td className={rows.minor} ta="end">
        {formatCount(release.artifacts)}
      </Table.Td>
      <Table.Td ta="end">{formatCount(release.devices)}</Table.Td>
      <Table.Td className={rows.above}>
        <When at={release.createdAt} />
      </Table.Td>
    </Table.Tr>
  )
}

interface MarkProps {
  readonly set: boolean
  readonly icon: typeof IconCheck
  readonly yes: string
  readonly no: string
}

function Mark({ set, icon: Glyph, yes, no }: MarkProps) {
  if (!set) {
    return (
      <Text span size="sm" c="dimmed" className={classes.mark}>
        {no}
      </Text>
    )
  }
  return (
    <span className={classes.mark}>
      <Glyph size={14} aria-hidden="true" /> {yes}
    </span>
  )
}
