import { Group, Stack, Text } from '@mantine/core'
import { IconDeviceDesktop, IconLock, IconNetwork } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { memo, useMemo } from 'react'
import type { Overview } from '../../shared/console/overview.ts'
import type { PlanCalendar } from '../../shared/console/plans.ts'
import { PendingRequests } from '../approvals/pending-requests.tsx'
import { useAccess } from '../bridge/access.ts'
import { server } from '../bridge/clients.ts'
import { useServerState } from '../bridge/server-state.tsx'
import { EmptyState } from '../components/loading/empty-state.tsx'
import { Loaded, Loading } from '../components/loading/loading.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Panel } from '../components/panel.tsx'
import { CopyButton } from '../components/text/copy-button.tsx'
import { Quiet } from '../components/text/quiet.tsx'
import { AppList } from './app-list.tsx'
import { AttentionPanel } from './attention-panel.tsx'
import { FirstSteps } from './first-steps.tsx'
import { keyOf, PlansPanel, RolloutsPanel } from './rollouts-panel.tsx'
import { REACH_NAMES, text } from './strings.ts'

/** Milliseconds: no event tells of nodes, or of what the server could not do. */
const LOOK = 10_000

/** The first screen: what needs attention, what is live where, at what percent, and who is on it. */
export function Component() {
  const running = useServerState().state === 'running'
  const overview = useQuery(
    server.overview.get.queryOptions(undefined, { refetchInterval: running && LOOK }),
  )
  const calendar = useQuery(server.plans.calendar.queryOptions())
  return (
    <>
      <PageHeader title={text.title} description={text.description} />
      <Loaded query={overview} loading={<Loading rows={3} height={160} />}>
        {(data) => (
          <Loaded query={calendar} saysAge={false} loading={<Loading rows={3} height={160} />}>
            {({ plans }) => <OverviewContent overview={data} plans={plans} />}
          </Loaded>
        )}
      </Loaded>
    </>
  )
}

interface ContentProps {
  readonly overview: Overview
  readonly plans: PlanCalendar['plans']
}

function OverviewContent({ overview, plans }: ContentProps) {
  const { apps: all, attention, telemetry, budgets } = overview
  const { may, mayInSomeApp } = useAccess()
  const apps = useMemo(() => all.filter((app) => !app.archived), [all])
  const running = useMemo(() => plans.filter(({ state }) => state.status === 'running'), [plans])
  const planned = useMemo(() => new Set(running.map(keyOf)), [running])
  const suspended = useMemo(
    () => plans.filter(({ state }) => state.status === 'suspended'),
    [plans],
  )
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
      <AttentionPanel
        attention={attention}
        telemetry={telemetry}
        budgets={budgets}
        suspended={suspended}
      />
      <PendingRequests />
      {!published && maySetUp && <FirstSteps apps={apps} />}
      <PlansPanel plans={running} apps={apps} />
      <RolloutsPanel apps={apps} planned={planned} />
      {apps.length > 0 && <AppList apps={apps} />}
      <Addresses addresses={overview.addresses} />
    </Stack>
  )
}

/** Where apps reach this server. */
const Addresses = memo(function Addresses({ addresses }: Pick<Overview, 'addresses'>) {
  return (
    <Panel title={text.addresses.title}>
      <Stack gap={4}>
        {addresses.map(({ url, reach }) => {
          const Icon = reach === 'network' ? IconNetwork : IconDeviceDesktop
          return (
            <Group key={url} gap="xs" mih={28}>
              <Icon size={16} color="var(--tidegate-quiet)" aria-hidden="true" />
              <Text ff="monospace" size="sm">
                {url}
              </Text>
              <CopyButton text={url} what={text.addresses.copy(url)} />
              <Quiet>{REACH_NAMES[reach]}</Quiet>
            </Group>
          )
        })}
      </Stack>
    </Panel>
  )
})
