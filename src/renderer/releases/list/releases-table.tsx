import { VisuallyHidden } from '@mantine/core'
import { IconCheck, IconTarget } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { ReleaseListItem } from '../../../shared/console/releases/releases.ts'
import { formatCount } from '../../../shared/wording/format.ts'
import { Panel } from '../../components/blocks.tsx'
import { DataTable } from '../../components/list/data-table.tsx'
import rows from '../../components/list/linked-rows.module.css'
import { RolloutBar } from '../../components/release/rollout-bar.tsx'
import { StatusBadge } from '../../components/release/status-badge.tsx'
import { VersionBadge } from '../../components/release/version-badge.tsx'
import { Quiet, Small, Toned, When } from '../../components/text/words.tsx'
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
      <DataTable
        label={text.title}
        className={`${rows.table} ${classes.table}`}
        rowClass={rows.row}
        rows={releases}
        keyOf={({ app, channel, version }) => `${app}/${channel}/${version}`}
        columns={[
          {
            ...{ name: text.release, className: classes.release },
            cell: (release) => <ReleaseLink release={release} />,
          },
          { name: text.status, cell: ({ status }) => <StatusBadge status={status} /> },
          {
            ...{ name: text.rollout, className: classes.rollout },
            cell: ({ rolloutPct, status }) => (
              <RolloutBar pct={rolloutPct} active={status === 'published'} />
            ),
          },
          {
            name: text.targets,
            cell: ({ targeted }) => (
              <Mark set={targeted} icon={IconTarget} yes={text.targeted} no={text.all} />
            ),
          },
          {
            ...{ name: text.offered, className: rows.minor, headClass: rows.minor },
            cell: ({ offered }) => (
              <Mark set={offered} icon={IconCheck} yes={text.yes} no={text.notYet} />
            ),
          },
          {
            ...{ name: text.artifacts, ta: 'end', className: rows.minor, headClass: rows.minor },
            cell: ({ artifacts }) => formatCount(artifacts),
          },
          { name: text.devices, ta: 'end', cell: ({ devices }) => formatCount(devices) },
          {
            ...{ name: text.published, className: rows.above },
            cell: ({ createdAt }) => <When at={createdAt} />,
          },
        ]}
      />
    </Panel>
  )
}

function ReleaseLink({ release }: { readonly release: ReleaseListItem }) {
  const { app, channel, version } = release
  const place = `${app}/${channel}`
  return (
    <Link className={`${rows.link} ${classes.link}`} to={paths.release({ app, channel, version })}>
      <VersionBadge app={app} version={version} />
      <VisuallyHidden>{text.of}</VisuallyHidden>
      <Small span maw="100%" className="cut" title={place}>
        {place}
      </Small>
    </Link>
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
      <Quiet span className={classes.mark}>
        {no}
      </Quiet>
    )
  }
  return (
    <Toned icon={Glyph} className={classes.mark}>
      {yes}
    </Toned>
  )
}
