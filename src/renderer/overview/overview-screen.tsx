import { Stack } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Overview } from '../../shared/console/overview.ts'
import { useAccess } from '../bridge/access.ts'
import { server } from '../bridge/clients.ts'
import { EmptyState } from '../components/loading/empty-state.tsx'
import { Loaded } from '../components/loading/loaded.tsx'
import { Loading } from '../components/loading/loading.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Addresses } from './addresses.tsx'
import { AppList } from './app-list.tsx'
import { AttentionPanel } from './attention-panel.tsx'
import { FirstSteps } from './first-steps.tsx'
import { RolloutsPanel } from './rollouts-panel.tsx'
import { text } from './strings.ts'

/** The first screen: what needs attention, what is live where, at what percent, and who is on it. */
export function OverviewScreen() {
  const overview = useQuery(server.overview.get.queryOptions())
  return (
    <>
      <PageHeader title={text.title} description={text.description} />
      <Loaded query={overview} loading={<Loading rows={3} height={160} />}>
        {(data) => <OverviewContent overview={data} />}
      </Loaded>
    </>
  )
}

function OverviewContent({ overview }: { readonly overview: Overview }) {
  const { apps: all, attention, telemetry, budgets } = overview
  const { may, mayInSomeApp } = useAccess()
  const apps = useMemo(() => all.filter((app) => !app.archived), [all])
  const published = apps.some((app) => app.channels.some(({ releases }) => releases > 0))
  if (!mayInSomeApp('viewer')) {
    return (
      <EmptyState icon={IconLock} title={text.noAccess}>
        {text.noAccessHint}
      </EmptyState>
    )
  }
  // Each step is for those who can take it.
  const maySetUp = apps.length === 0 ? may('administrator') : mayInSomeApp('release_manager')
  return (
    <Stack gap="lg">
      <AttentionPanel attention={attention} telemetry={telemetry} budgets={budgets} />
      {!published && maySetUp && <FirstSteps apps={apps} />}
      <RolloutsPanel apps={apps} />
      {apps.length > 0 && <AppList apps={apps} />}
      <Addresses addresses={overview.addresses} />
    </Stack>
  )
}
