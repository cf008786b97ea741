import { Stack, Text } from '@mantine/core'
import { IconCalendarOff, IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PlanCalendar } from '../../../shared/console/releases/plans.ts'
import { useAccess } from '../../bridge/access.ts'
import { server } from '../../bridge/clients.ts'
import { Panel, SmallButton } from '../../components/blocks.tsx'
import { DataTable } from '../../components/list/data-table.tsx'
import { EmptyState } from '../../components/loading/empty-state.tsx'
import { Loaded } from '../../components/loading/loading.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { StatusBadge } from '../../components/release/status-badge.tsx'
import { VersionLink } from '../../components/release/version-badge.tsx'
import { formatTime, isoDay, useTimeZone } from '../../components/text/time.ts'
import { Quiet, Small } from '../../components/text/words.tsx'
import { paths } from '../../paths.ts'
import { NextStepTime } from '../plans/next-step-time.tsx'
import { nextStepOf, text as planText, stepInWords } from '../plans/strings.ts'
import classes from './calendar.module.css'
import { CalendarTable } from './calendar-table.tsx'
import { daysFrom, noonOf, type PlanOnCalendar } from './days.ts'
import { FreezesPanel } from './freezes-panel.tsx'
import { text } from './strings.ts'

/** Milliseconds after which times are asked for again: some change with the clock alone. */
const EVERY = 60_000

/** When the plans of all apps apply their next steps, and when no plan may. */
export function Component() {
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
      hint={text.emptyHint}
    />
  )
}

/** The next step of every plan, the earliest first. */
function Agenda({ plans }: { readonly plans: readonly PlanOnCalendar[] }) {
  const { when, release, step } = text.columns
  return (
    <Panel flush title={text.agenda}>
      <DataTable
        label={text.agenda}
        rows={inOrder(plans)}
        keyOf={({ app, channel, version }) => `${app}/${channel}/${version}`}
        columns={[
          { name: release, cell: (plan) => <Release plan={plan} /> },
          { name: step, cell: ({ state }) => <Step state={state} /> },
          {
            name: when,
            cell: ({ state: { next, status } }) =>
              next === null ? <StatusBadge status={status} /> : <NextStepTime next={next} />,
          },
        ]}
      />
    </Panel>
  )
}

function Release({ plan }: { readonly plan: PlanOnCalendar }) {
  const { app, channel, version } = plan
  return (
    <>
      <VersionLink release={{ app, channel, version }} />
      <Small>{text.place(app, channel)}</Small>
    </>
  )
}

function Step({ state }: Pick<PlanOnCalendar, 'state'>) {
  const next = nextStepOf(state)
  return (
    <>
      {next === undefined ? text.finished : stepInWords(next)}
      <Small>{planText.stepsDone(state)}</Small>
    </>
  )
}

function inOrder(plans: readonly PlanOnCalendar[]): PlanOnCalendar[] {
  // What has no time comes last.
  const timeOf = ({ state }: PlanOnCalendar) => state.next?.at ?? '~'
  return plans.toSorted((one, other) => (timeOf(one) < timeOf(other) ? -1 : 1))
}

/** Two weeks of all plans and freezes at once, with the weeks before and after. */
function CalendarPanel({ calendar }: { readonly calendar: PlanCalendar }) {
  useTimeZone()
  const [page, setPage] = useState(0)
  const today = isoDay(Date.now())
  const days = daysFrom(today, page)
  const [first = today] = days
  const last = days.at(-1) ?? today
  return (
    <Panel
      flush
      title={text.plans}
      aside={
        <Quiet role="status">
          {text.range(formatTime(noonOf(first), 'date'), formatTime(noonOf(last), 'date'))}
        </Quiet>
      }
      actions={
        <>
          <SmallButton icon={IconChevronLeft} onClick={() => setPage(page - 1)}>
            {text.earlier}
          </SmallButton>
          <SmallButton onClick={() => setPage(0)}>{text.today}</SmallButton>
          <SmallButton
            rightSection={<IconChevronRight size={14} aria-hidden="true" />}
            onClick={() => setPage(page + 1)}
          >
            {text.later}
          </SmallButton>
        </>
      }
    >
      <CalendarTable calendar={calendar} days={days} today={today} />
      <ul className={classes.legend}>
        {(['step', 'closed', 'frozen'] as const).map((kind) => (
          <li key={kind}>
            <span className={classes.sample} data-kind={kind} aria-hidden="true" />
            <Text size="xs" span>
              {text.legend[kind]}
            </Text>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
