import { Alert, Stack } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { Overview } from '../../shared/console/overview.ts'
import { formatCounted } from '../../shared/wording/format.ts'
import { storageProblemSentence } from '../../shared/wording/storage-problem.ts'
import { server } from '../bridge/clients.ts'
import { Loaded } from '../components/loaded.tsx'
import { Loading } from '../components/loading.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Addresses } from './addresses.tsx'
import { AppPanel } from './app-panel.tsx'
import { BudgetNotice } from './budget-notice.tsx'
import { FirstSteps } from './first-steps.tsx'

/** The first screen: what is live where, at what percent, and who is on it. */
export function OverviewScreen() {
  const overview = useQuery(server.overview.get.queryOptions())
  return (
    <>
      <PageHeader title="Overview" description="What is live where, and how far it has come." />
      <Loaded query={overview} loading={<Loading rows={3} height={160} />}>
        {(data) => <OverviewContent overview={data} />}
      </Loaded>
    </>
  )
}

function OverviewContent({ overview }: { readonly overview: Overview }) {
  const apps = overview.apps.filter((app) => !app.archived)
  const published = apps.some((app) => app.channels.some(({ releases }) => releases > 0))
  return (
    <Stack gap="lg">
      <TelemetryTrouble telemetry={overview.telemetry} />
      <BudgetNotice budgets={overview.budgets} />
      {!published && <FirstSteps apps={apps} />}
      {apps.map((app) => (
        <AppPanel key={app.ref} app={app} />
      ))}
      <Addresses addresses={overview.addresses} />
    </Stack>
  )
}

function TelemetryTrouble({ telemetry }: Pick<Overview, 'telemetry'>) {
  const { lost, failure } = telemetry
  if (lost === 0 && failure === null) return null
  return (
    <Alert
      color="yellow"
      icon={<IconAlertTriangle aria-hidden="true" />}
      title={
        failure === null ? 'Some heartbeats were not kept' : 'Heartbeats are not being written'
      }
    >
      {failure !== null && storageProblemSentence(failure)}{' '}
      {lost > 0 && `${formatCounted(lost, 'heartbeat')} could not be kept.`} Devices are answered
      all the same; their numbers here are too low.
    </Alert>
  )
}
