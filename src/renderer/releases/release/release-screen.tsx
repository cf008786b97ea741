import { Group, Menu, Text } from '@mantine/core'
import { IconCopyPlus, IconGitCompare, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import type { Release } from '../../../shared/releases/release.ts'
import { formatPercent } from '../../../shared/wording/format.ts'
import { actorInWords } from '../../audit/entry-strings.ts'
import { useAccess } from '../../bridge/access.ts'
import { server } from '../../bridge/clients.ts'
import { isUnknown } from '../../bridge/error.ts'
import { LinkButton, Notice, Panel, PlainButton, Stat } from '../../components/blocks.tsx'
import { ReleaseNotFound } from '../../components/loading/empty-state.tsx'
import { Loaded } from '../../components/loading/loading.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { DeviceCount } from '../../components/release/device-count.tsx'
import badge from '../../components/release/release.module.css'
import { StatusBadge } from '../../components/release/status-badge.tsx'
import { VersionBadge } from '../../components/release/version-badge.tsx'
import { When } from '../../components/text/words.tsx'
import { paths } from '../../paths.ts'
import { PendingRequests } from '../approvals/pending-requests.tsx'
import type { ReleaseDetail } from '../detail.ts'
import { useDanger } from '../health/danger-notice.tsx'
import { HealthPanel } from '../health/health-panel.tsx'
import { Notes } from '../notes/notes.tsx'
import { PlanPanel } from '../plans/timeline/plan-panel.tsx'
import { PreflightPanel } from '../preflight/preflight-part.tsx'
import { ServingPanel } from '../serving/serving-panel.tsx'
import { ArtifactsPanel, PlatformsPanel, ProofWait } from './artifacts-panel.tsx'
import classes from './release.module.css'
import { text } from './strings.ts'
import { TimelinePanel } from './timeline-panel.tsx'

/** One release: what it is, whom it reaches, and how it is served. */
export function Component() {
  const { app = '', channel = '', version = '' } = useParams()
  const known = useQuery(server.releases.get.queryOptions({ app, channel, version }))
  const place = `${app}/${channel}`
  const isMissing = isUnknown(known.error)
  return (
    <>
      <PageHeader
        name={text.pageName(version, place)}
        title={
          <Group gap="sm" component="span" className={badge.heading}>
            <VersionBadge app={app} version={version} />
            {known.data && <StatusBadge status={known.data.release.status} />}
            {known.data?.archived && <StatusBadge status="archived" />}
          </Group>
        }
        trail={[
          { name: text.releases, to: paths.releases },
          { name: place, to: paths.channelReleases(app, channel) },
        ]}
        actions={
          known.data &&
          !isMissing && (
            <>
              <LinkButton to={paths.compare(known.data.release)} icon={IconGitCompare}>
                {text.compare}
              </LinkButton>
              <CopyMenu release={known.data.release} />
            </>
          )
        }
        description={known.data && <PublishedBy detail={known.data} />}
      />
      {isMissing && known.data === undefined && (
        <ReleaseNotFound app={app} channel={channel} version={version} />
      )}
      {isMissing && known.data !== undefined && (
        <>
          <Notice icon={IconTrash} mb="md" title={text.deletedTitle}>
            {text.deletedHint}
          </Notice>
          <ReleaseParts key={known.data.release.id} detail={known.data} isDeleted />
        </>
      )}
      {!isMissing && (
        <Loaded query={known}>
          {(detail) => <ReleaseParts key={detail.release.id} detail={detail} isDeleted={false} />}
        </Loaded>
      )}
    </>
  )
}

function PublishedBy({ detail }: { readonly detail: ReleaseDetail }) {
  const entry = detail.history.find(({ action }) => action === 'release.published')
  return (
    <>
      {text.published} <When at={detail.release.createdAt} />
      {entry && ` ${text.by(actorInWords(entry.actor))}`}
    </>
  )
}

interface PartsProps {
  readonly detail: ReleaseDetail
  readonly isDeleted: boolean
}

function ReleaseParts({ detail, isDeleted }: PartsProps) {
  const { release, devices, seenLast7Days } = detail
  const { app, channel, version } = release
  const on = { app, channel, version }
  const { danger, isKnown } = useDanger(on)
  // On a phone, what stops it is on the first screen; unless it fails, then that is, with what to do.
  const isFailing = isKnown ? danger !== undefined : release.status === 'paused'
  const health = !isDeleted && <HealthPanel detail={detail} />
  return (
    <>
      {!isDeleted && <PendingRequests release={on} />}
      {detail.awaitsProof && !isDeleted && <ProofWait detail={detail} />}
      <dl className="stats">
        <Stat label={text.rollout} value={formatPercent(release.rolloutPct)} />
        <Stat label={text.devices} value={<DeviceCount count={devices} of={on} />} />
        <Stat
          label={text.seen}
          value={<DeviceCount count={seenLast7Days} of={{ ...on, seen: '7d' }} />}
        />
        <Stat label={text.offered} value={release.offered ? text.yes : text.notYet} />
      </dl>
      <div className={classes.columns}>
        {isFailing && health}
        <div className={classes.serving}>
          <ServingPanel detail={detail} isDeleted={isDeleted} />
          {!isDeleted && <PlanPanel detail={detail} />}
        </div>
        {!isFailing && health}
        <div className={classes.wide}>
          <TimelinePanel detail={detail} />
        </div>
        <div className={classes.wide}>
          <PlatformsPanel detail={detail} />
        </div>
        <div className={classes.wide}>
          <Panel title={text.notes}>
            {release.notes.trim() === '' ? (
              <Text c="dimmed">{text.noNotes}</Text>
            ) : (
              <Notes markdown={release.notes} />
            )}
          </Panel>
        </div>
        {!isDeleted && release.status !== 'rolled_back' && (
          <div className={classes.wide}>
            <PreflightPanel of={on} />
          </div>
        )}
        <div className={classes.wide}>
          <ArtifactsPanel detail={detail} isDeleted={isDeleted} />
        </div>
      </div>
    </>
  )
}

/** Leads to the publish form for another channel of the app, filled in with this release. */
function CopyMenu({ release }: { readonly release: Release }) {
  const apps = useQuery(server.apps.names.queryOptions())
  const { may } = useAccess()
  const app = apps.data?.find(({ ref }) => ref === release.app)
  const channels = app?.channels.filter((name) => name !== release.channel) ?? []
  if (app === undefined || app.archived || channels.length === 0) return null
  if (!may('release_manager', app.ref)) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <PlainButton icon={IconCopyPlus}>{text.copy}</PlainButton>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        {channels.map((name) => (
          <Menu.Item key={name} component={Link} to={paths.copyRelease(release, name)}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
