import { Button, Stack } from '@mantine/core'
import { IconApps, IconPlugConnected } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { AppDetail } from '../../shared/console/apps.ts'
import { server } from '../bridge/clients.ts'
import { EmptyState } from '../components/empty-state.tsx'
import { Loaded } from '../components/loaded.tsx'
import { Loading } from '../components/loading.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { paths } from '../paths.ts'
import { FleetContent } from './fleet-content.tsx'
import { LivePanel } from './live-panel.tsx'
import { readScope, type Scope, writeScope } from './scope.ts'
import { ScopeBar } from './scope-bar.tsx'

/** Who runs what, how that came, and check-ins as they happen. */
export function FleetScreen() {
  const apps = useQuery(server.apps.list.queryOptions())
  return (
    <>
      <PageHeader title="Fleet" description="Who runs what, and what they ask for now." />
      <Loaded query={apps} loading={<Loading rows={3} height={160} />}>
        {(all) => {
          const first = all.find(({ archived }) => !archived) ?? all[0]
          return first === undefined ? <NoApp /> : <OneApp apps={all} first={first} />
        }}
      </Loaded>
    </>
  )
}

function OneApp({
  apps,
  first,
}: {
  readonly apps: readonly AppDetail[]
  readonly first: AppDetail
}) {
  const [params, setParams] = useSearchParams()
  const wanted = readScope(params)
  // An address may name what is not there any more.
  const app = apps.find(({ ref }) => ref === wanted.app) ?? first
  const known = app.channels.some(({ name }) => name === wanted.channel)
  const scope: Scope = { ...wanted, app: app.ref, channel: known ? wanted.channel : '' }
  // Two changes can come before the address has followed the first.
  const latest = useRef(scope)
  useEffect(() => {
    latest.current = { app: scope.app, channel: scope.channel, range: scope.range }
  }, [scope.app, scope.channel, scope.range])
  const change = (parts: Partial<Scope>) => {
    latest.current = { ...latest.current, ...parts }
    setParams(writeScope(latest.current), { replace: true })
  }
  const dashboard = useQuery(
    server.fleet.dashboard.queryOptions(
      { app: scope.app, channel: scope.channel || undefined, range: scope.range },
      { placeholderData: keepPreviousData },
    ),
  )
  return (
    <>
      <ScopeBar scope={scope} apps={apps} onChange={change} />
      <Stack gap="lg">
        <Loaded query={dashboard} loading={<Loading rows={3} height={160} />}>
          {(data) =>
            data.totals.devices === 0 && data.traffic.checkIns.every((count) => count === 0) ? (
              <NobodyYet app={app} />
            ) : (
              <FleetContent data={data} scope={scope} />
            )
          }
        </Loaded>
        {dashboard.data !== undefined && (
          <LivePanel
            key={`${scope.app}/${scope.channel}`}
            app={scope.app}
            channel={scope.channel}
          />
        )}
      </Stack>
    </>
  )
}

function NoApp() {
  return (
    <EmptyState
      icon={IconApps}
      title="No app yet"
      action={
        <Button component={Link} to={paths.apps}>
          Go to the apps
        </Button>
      }
    >
      Create an app first. Once its devices ask for updates, this screen shows who runs what.
    </EmptyState>
  )
}

function NobodyYet({ app }: { readonly app: AppDetail }) {
  return (
    <EmptyState
      icon={IconPlugConnected}
      title="No check-in yet"
      action={
        <Button component={Link} to={paths.app(app.ref)}>
          Connect {app.name}
        </Button>
      }
    >
      Copy the updater configuration into the app. Its first check appears here as it happens.
    </EmptyState>
  )
}
