import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { formatPercent } from '../../../shared/wording/format.ts'
import { actorInWords, entryInWords } from '../../audit/strings.ts'
import { server } from '../../bridge/clients.ts'
import { DeviceCount } from '../../components/device-count.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Panel } from '../../components/panel.tsx'
import { Stat } from '../../components/stat.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { VersionBadge } from '../../components/version-badge.tsx'
import { When } from '../../components/when.tsx'
import { paths } from '../../paths.ts'
import type { HistoryEntry, ReleaseDetail } from '../detail.ts'
import { Notes } from '../notes/notes.tsx'
import { ServingPanel } from '../serving/serving-panel.tsx'
import { ArtifactsTable } from './artifacts-table.tsx'
import classes from './release.module.css'

/** One release: what it is, whom it reaches, and how it is served. */
export function ReleaseScreen() {
  const { app = '', channel = '', version = '' } = useParams()
  const known = useQuery({
    ...server.releases.get.queryOptions({ app, channel, version }),
    // Another release's page shows nothing of the one before.
    placeholderData: () => undefined,
  })
  const place = `${app}/${channel}`
  return (
    <>
      <PageHeader
        name={`${version} on ${place}`}
        title={
          <Group gap="sm" component="span" className={classes.heading}>
            <VersionBadge app={app} version={version} />
            {known.data && <StatusBadge status={known.data.release.status} />}
          </Group>
        }
        trail={[
          { name: 'Releases', to: paths.releases },
          { name: place, to: paths.channelReleases(app, channel) },
        ]}
        description={known.data && <PublishedBy detail={known.data} />}
      />
      <Loaded query={known}>
        {(detail) => <ReleaseParts key={detail.release.id} detail={detail} />}
      </Loaded>
    </>
  )
}

function PublishedBy({ detail }: { readonly detail: ReleaseDetail }) {
  const entry = detail.history.find(({ action }) => action === 'release.published')
  return (
    <>
      Published <When at={detail.release.createdAt} />
      {entry && ` by ${actorInWords(entry.actor)}`}
    </>
  )
}

function ReleaseParts({ detail }: { readonly detail: ReleaseDetail }) {
  const { release, devices, seenLast7Days, history } = detail
  const { app, channel, version } = release
  const on = { app, channel, version }
  return (
    <>
      <dl className="stats">
        <Stat label="Rollout" value={formatPercent(release.rolloutPct)} />
        <Stat label="Devices on it" value={<DeviceCount count={devices} of={on} />} />
        <Stat
          label="Seen, 7 d"
          value={<DeviceCount count={seenLast7Days} of={{ ...on, seen: '7d' }} />}
        />
        <Stat label="Offered to a device" value={release.offered ? 'Yes' : 'Not yet'} />
      </dl>
      <div className={classes.columns}>
        <ServingPanel detail={detail} />
        <Panel title="History">
          <HistoryList history={history} />
        </Panel>
        <div className={classes.wide}>
          <Panel title="Release notes">
            {release.notes.trim() === '' ? (
              <Text c="dimmed">Published without notes.</Text>
            ) : (
              <Notes markdown={release.notes} />
            )}
          </Panel>
        </div>
        <div className={classes.wide}>
          <Panel title="Artifacts" flush={release.artifacts.length > 0}>
            {release.artifacts.length === 0 ? (
              <Text c="dimmed">Published without artifacts, so no device is offered it.</Text>
            ) : (
              <ArtifactsTable artifacts={release.artifacts} />
            )}
          </Panel>
        </div>
      </div>
    </>
  )
}

/** What happened to a release and who did it, newest first. */
function HistoryList({ history }: { readonly history: readonly HistoryEntry[] }) {
  return (
    <ol className={classes.history}>
      {history.map((entry) => (
        <li key={entry.id}>
          <Text size="sm">{entryInWords(entry)}</Text>
          <Text size="xs" c="dimmed">
            <When at={entry.at} />, {actorInWords(entry.actor)}
          </Text>
        </li>
      ))}
    </ol>
  )
}
