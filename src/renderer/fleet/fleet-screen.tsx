import { Group, SegmentedControl, Stack } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { AppName } from '../../shared/console/apps.ts'
import { type Dashboard, FleetRange } from '../../shared/console/fleet.ts'
import { server } from '../bridge/clients.ts'
import { useAddressFilters } from '../components/list/address-filters.ts'
import { appChoices, nameChoices, SearchableSelect } from '../components/list/searchable-select.tsx'
import {
  AppNotFound,
  ArchivedNotice,
  ChannelNotFound,
  EmptyState,
  NoApps,
} from '../components/loading/empty-state.tsx'
import { Loaded, Loading } from '../components/loading/loading.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { paths } from '../paths.ts'
import classes from './charts.module.css'
import { FleetContent } from './fleet-content.tsx'
import { LivePanel } from './live-panel.tsx'
import { readScope, type Scope, writeScope } from './scope.ts'
import { RANGE_WORDS, text } from './strings.ts'

/** What the devices of an app run, how that came, and check-ins as they happen. */
export function Component() {
  const [wanted, change] = useAddressFilters(readScope, writeScope)
  const apps = useQuery(server.apps.names.queryOptions())
  const { app, channel, range } = wanted
  // Asked with the apps, not after them: the server knows which one is the first.
  const dashboard = useQuery({
    ...server.fleet.dashboard.queryOptions({
      app: app || undefined,
      channel: channel || undefined,
      range,
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <PageHeader title={text.title} description={text.description} />
      <Loaded query={apps} loading={<Loading rows={3} height={160} />}>
        {(all) => {
          const first = all.find(({ archived }) => !archived) ?? all[0]
          if (first === undefined) return <NoApps hint={text.noApps} />
          const scope = { ...wanted, app: wanted.app || first.ref }
          // The address then means the same app when others come and go.
          const onChange = (parts: Partial<Scope>) => change({ app: scope.app, ...parts })
          const app = all.find(({ ref }) => ref === scope.app)
          return (
            <>
              <ScopeBar scope={scope} apps={all} onChange={onChange} />
              {app === undefined ? (
                <AppNotFound app={scope.app} />
              ) : (
                <OneApp app={app} scope={scope} dashboard={dashboard} onChange={onChange} />
              )}
            </>
          )
        }}
      </Loaded>
    </>
  )
}

interface Props {
  readonly app: AppName
  readonly scope: Scope
  readonly dashboard: UseQueryResult<Dashboard, unknown>
  readonly onChange: (parts: Partial<Scope>) => void
}

function OneApp({ app, scope, dashboard, onChange }: Props) {
  const { channel } = scope
  if (channel !== '' && !app.channels.includes(channel)) {
    return (
      <ChannelNotFound
        app={app.ref}
        channel={channel}
        onShowAll={() => onChange({ channel: '' })}
      />
    )
  }
  return (
    <>
      <ArchivedNotice app={app} />
      <Stack gap="lg">
        <Loaded query={dashboard} loading={<Loading rows={3} height={160} />}>
          {(data) =>
            data.totals.devices === 0 && data.traffic.checkIns.every((count) => count === 0) ? (
              <EmptyState
                icon={IconPlugConnected}
                title={text.noCheckInsTitle}
                link={{ to: paths.app(app.ref), name: text.connect(app.name) }}
                hint={text.noCheckIns}
              />
            ) : (
              <FleetContent scope={scope} data={data} />
            )
          }
        </Loaded>
        {dashboard.data !== undefined && (
          <LivePanel key={`${app.ref}/${channel}`} app={app.ref} channel={channel} />
        )}
      </Stack>
    </>
  )
}

interface ScopeBarProps {
  readonly scope: Scope
  readonly apps: readonly AppName[]
  /** Hears what changes, not the rest. */
  readonly onChange: (parts: Partial<Scope>) => void
}

/** Which app, which channel, and how far back. */
function ScopeBar({ scope, apps, onChange }: ScopeBarProps) {
  const app = apps.find(({ ref }) => ref === scope.app)
  return (
    <Group className="filters" gap="xs" align="end" mb="md">
      <SearchableSelect
        w={208}
        label={text.app}
        value={scope.app}
        choices={appChoices(apps)}
        onChange={(ref) => onChange({ app: ref, channel: '' })}
      />
      <SearchableSelect
        w={168}
        label={text.channel}
        value={scope.channel}
        choices={[{ value: '', label: text.allChannels }, ...nameChoices(app?.channels ?? [])]}
        onChange={(channel) => onChange({ channel })}
      />
      <SegmentedControl
        className={classes.range ?? ''}
        aria-label={text.range}
        value={scope.range}
        data={FleetRange.options.map((value) => ({ value, label: RANGE_WORDS[value].short }))}
        onChange={(value) => onChange({ range: FleetRange.parse(value) })}
      />
    </Group>
  )
}
