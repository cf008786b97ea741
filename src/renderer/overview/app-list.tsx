import { Anchor, Button } from '@mantine/core'
import { IconTargetArrow } from '@tabler/icons-react'
import { memo, useMemo } from 'react'
import { Link } from 'react-router'
import type { ChannelOverview, LiveRelease, Overview } from '../../shared/console/overview.ts'
import { formatCount, formatShare } from '../../shared/wording/format.ts'
import { findApps } from '../apps/find-apps.ts'
import { useAccess } from '../bridge/access.ts'
import { readText, useAddressFilters, writeParams } from '../components/list/address-filters.ts'
import { SearchField } from '../components/list/search-field.tsx'
import { useVirtualList } from '../components/list/use-virtual-list.ts'
import { NoResults } from '../components/loading/empty-state.tsx'
import { Panel } from '../components/panel.tsx'
import { DeviceCount } from '../components/release/device-count.tsx'
import { RolloutBar } from '../components/release/rollout-bar.tsx'
import { VersionLink } from '../components/release/version-badge.tsx'
import { Stat } from '../components/stat.tsx'
import { Quiet } from '../components/text/quiet.tsx'
import { paths } from '../paths.ts'
import { StopButton } from '../releases/stop/stop-button.tsx'
import classes from './overview.module.css'
import { text } from './strings.ts'

/** More apps than this can be searched. */
const SEARCHABLE = 5

const readFilters = (params: URLSearchParams) => ({ search: readText(params, 'search', 200) })

/** The apps, each with its channels; a long list can be searched, and draws only what is seen. */
export function AppList({ apps }: Pick<Overview, 'apps'>) {
  const [{ search }, change] = useAddressFilters(readFilters, writeParams)
  const shown = useMemo(() => findApps(apps, search), [apps, search])
  const { list, indexes, before, after, measure } = useVirtualList<HTMLDivElement>({
    count: shown.length,
    estimate: 190,
    gap: 24,
    keyOf: (index) => shown[index]?.ref ?? '',
  })
  return (
    <div>
      {(apps.length > SEARCHABLE || search !== '') && (
        <search className={classes.search}>
          <SearchField
            value={search}
            placeholder={text.searchApps}
            onChange={(typed) => change({ search: typed })}
          />
        </search>
      )}
      {shown.length === 0 && apps.length > 0 && (
        <NoResults
          title={text.noApps}
          clear={text.clearSearch}
          onClear={() => change({ search: '' })}
        >
          {text.noAppsHint}
        </NoResults>
      )}
      <div
        ref={list}
        className={classes.apps}
        style={{ paddingTop: `${before}px`, paddingBottom: `${after}px` }}
      >
        {indexes.map((index) => {
          const app = shown[index]
          return (
            app !== undefined && (
              <div key={app.ref} ref={measure} data-index={index}>
                <AppPanel app={app} />
              </div>
            )
          )
        })}
      </div>
    </div>
  )
}

interface Props {
  readonly app: Overview['apps'][number]
}

/** One app: a row for each of its channels. */
const AppPanel = memo(function AppPanel({ app }: Props) {
  return (
    <Panel
      flush
      title={app.name}
      actions={
        <Button
          component={Link}
          to={paths.app(app.ref)}
          variant="subtle"
          size="xs"
          aria-label={text.openAppLabel(app.name)}
        >
          {text.openApp}
        </Button>
      }
    >
      {app.channels.map((channel) => (
        <ChannelSummary key={channel.name} app={app} channel={channel} />
      ))}
    </Panel>
  )
})

interface ChannelProps {
  readonly app: Pick<Overview['apps'][number], 'ref' | 'name'>
  readonly channel: ChannelOverview
}

/** One channel: its devices, and every release that it offers now with how far it is. */
function ChannelSummary({ app, channel }: ChannelProps) {
  const label = text.channelLabel(app.name, channel.name)
  const { live } = channel
  const on = { app: app.ref, channel: channel.name }
  return (
    <section className={classes.channel} aria-label={label}>
      <Anchor
        component={Link}
        to={paths.channelReleases(app.ref, channel.name)}
        fw={600}
        c="inherit"
        aria-label={text.channelReleases(label)}
      >
        {channel.name}
      </Anchor>
      <dl className={classes.stats}>
        <Stat
          label={text.stats.seen24Hours}
          value={<DeviceCount count={channel.seenLast24Hours} of={{ ...on, seen: '24h' }} />}
        />
        <Stat
          label={text.stats.seen7Days}
          value={<DeviceCount count={channel.seenLast7Days} of={{ ...on, seen: '7d' }} />}
        />
        <Stat label={text.stats.onLatest} value={formatShare(channel.shareOnNewest)} />
        <Stat label={text.stats.checkIns24Hours} value={formatCount(channel.checkInsLast24Hours)} />
      </dl>
      {live.length === 0 ? (
        <NothingLive app={app.ref} channel={channel} />
      ) : (
        <ul className={`plain-list ${classes.rollouts}`} aria-label={text.live(label)}>
          {live.map((release) => (
            <LiveRow key={release.version} on={on} release={release} />
          ))}
        </ul>
      )}
    </section>
  )
}

interface NothingLiveProps {
  readonly app: string
  readonly channel: ChannelOverview
}

function NothingLive({ app, channel: { name, releases } }: NothingLiveProps) {
  const { may } = useAccess()
  return (
    <div className={classes.nothing}>
      <Quiet>{releases === 0 ? text.noReleases : text.nothingLive}</Quiet>
      {may('release_manager', app) && (
        <Button component={Link} to={paths.publishTo(app, name)} variant="default" size="xs">
          {text.publish}
        </Button>
      )}
    </div>
  )
}

interface LiveRowProps {
  readonly on: { readonly app: string; readonly channel: string }
  readonly release: LiveRelease
}

function LiveRow({ on, release }: LiveRowProps) {
  const { version, rolloutPct, adoption, devices, targeted } = release
  return (
    <li className={classes.rollout}>
      <VersionLink release={{ ...on, version }} />
      <RolloutBar pct={rolloutPct} adoption={adoption} />
      <Quiet className={classes.words}>
        {adoption === null ? (
          text.noDevices
        ) : (
          <>
            {text.adoption(adoption)}
            <DeviceCount named count={devices} of={{ ...on, version, seen: '7d' }} />
          </>
        )}
      </Quiet>
      <Quiet className={classes.words}>
        {targeted && (
          <>
            <IconTargetArrow size={14} aria-hidden="true" /> {text.targeted}
          </>
        )}
      </Quiet>
      <StopButton release={{ ...on, version }} />
    </li>
  )
}
