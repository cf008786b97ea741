import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Overview } from '../../shared/console/overview.ts'
import { server } from '../bridge/clients.ts'
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
  const apps = useMemo(() => all.filter((app) => !app.archived), [all])
  const published = apps.some((app) => app.channels.some(({ releases }) => releases > 0))
  return (
    <Stack gap="lg">
      <AttentionPanel attention={attention} telemetry={telemetry} budgets={budgets} />
      {!published && <FirstSteps apps={apps} />}
      <RolloutsPanel apps={apps} />
      {apps.length > 0 && <AppList apps={apps} />}
      <Addresses addresses={overview.addresses} />
    </Stack>
  )
}
