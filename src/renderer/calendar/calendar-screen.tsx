import { Stack } from '@mantine/core'
import { IconCalendarOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { PlanCalendar } from '../../shared/console/plans.ts'
import { useAccess } from '../bridge/access.ts'
import { server } from '../bridge/clients.ts'
import { EmptyState } from '../components/loading/empty-state.tsx'
import { Loaded } from '../components/loading/loaded.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { paths } from '../paths.ts'
import { Agenda } from './agenda.tsx'
import { CalendarPanel } from './calendar-panel.tsx'
import { FreezesPanel } from './freezes-panel.tsx'
import { text } from './strings.ts'

/** Milliseconds after which times are asked for again: some change with the clock alone. */
const EVERY = 60_000

/** When the plans of all apps apply their next steps, and when no plan may. */
export function CalendarScreen() {
  const calendar = useQuery({ ...server.plans.calendar.queryOptions(), refetchInterval: EVERY })
  return (
    <>
      <PageHeader title={text.title} description={text.description} />
      <Loaded query={calendar}>{(data) => <CalendarContent calendar={data} />}</Loaded>
    </>
  )
}

function CalendarContent({ calendar }: { readonly calendar: PlanCalendar }) {
  const { plans, freezes } = calendar
  return (
    <Stack gap="md">
      {plans.length === 0 && freezes.length === 0 ? (
        <NoPlans />
      ) : (
        <CalendarPanel calendar={calendar} />
      )}
      {plans.length > 0 && <Agenda plans={plans} />}
      <FreezesPanel freezes={freezes} />
    </Stack>
  )
}

function NoPlans() {
  const mayPublish = useAccess().mayInSomeApp('release_manager')
  return (
    <EmptyState
      icon={IconCalendarOff}
      title={text.empty}
      link={mayPublish ? { to: paths.publish, name: text.publish } : undefined}
    >
      {text.emptyHint}
    </EmptyState>
  )
}
