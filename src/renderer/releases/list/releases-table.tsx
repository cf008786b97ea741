import { Table, Text, VisuallyHidden } from '@mantine/core'
import { IconCheck, IconTarget } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { ReleaseListItem } from '../../../shared/console/releases.ts'
import { formatCount } from '../../components/format.ts'
import { RolloutBar } from '../../components/rollout-bar.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { VersionBadge } from '../../components/version-badge.tsx'
import { When } from '../../components/when.tsx'
import { paths } from '../../paths.ts'
import classes from './releases-table.module.css'

/** Releases as rows; the link in the first cell covers the row. */
export function ReleasesTable({ releases }: { readonly releases: readonly ReleaseListItem[] }) {
  return (
    <Table.ScrollContainer minWidth={700}>
      <Table className={classes.table} horizontalSpacing={8}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Version</Table.Th>
            <Table.Th>Channel</Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th>Rollout</Table.Th>
            <Table.Th>Targets</Table.Th>
            <Table.Th className={classes.minor}>Offered</Table.Th>
            <Table.Th className={classes.minor} ta="end">
              Artifacts
            </Table.Th>
            <Table.Th ta="end">Devices</Table.Th>
            <Table.Th>Published</Table.Th>
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
    </Table.ScrollContainer>
  )
}

function ReleaseRow({ release }: { readonly release: ReleaseListItem }) {
  const { app, channel, version, status, rolloutPct, targeted, offered } = release
  return (
    <Table.Tr className={classes.row}>
      <Table.Td>
        <Link className={classes.link} to={paths.release({ app, channel, version })}>
          <VersionBadge version={version} />
          <VisuallyHidden>
            {' '}
            of {app}/{channel}
          </VisuallyHidden>
        </Link>
      </Table.Td>
      <Table.Td>
        {app}
        <Text span c="dimmed">
          /{channel}
        </Text>
      </Table.Td>
      <Table.Td>
        <StatusBadge status={status} />
      </Table.Td>
      <Table.Td>
        <RolloutBar pct={rolloutPct} active={status === 'published'} />
      </Table.Td>
      <Table.Td>
        <Mark set={targeted} icon={IconTarget} yes="Targeted" no="All" />
      </Table.Td>
      <Table.Td className={classes.minor}>
        <Mark set={offered} icon={IconCheck} yes="Yes" no="Not yet" />
      </Table.Td>
      <Table.Td className={classes.minor} ta="end">
        {formatCount(release.artifacts)}
      </Table.Td>
      <Table.Td ta="end">{formatCount(release.devices)}</Table.Td>
      <Table.Td className={classes.when}>
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
