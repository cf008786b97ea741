import { Table, Text } from '@mantine/core'
import { Link } from 'react-router'
import { Panel } from '../components/panel.tsx'
import { StatusBadge } from '../components/release/status-badge.tsx'
import { VersionBadge } from '../components/release/version-badge.tsx'
import { paths } from '../paths.ts'
import { NextStepTime } from '../plans/next-step-time.tsx'
import { nextStepOf, text as planText, stepInWords } from '../plans/strings.ts'
import classes from './calendar.module.css'
import type { PlanOnCalendar } from './days.ts'
import { text } from './strings.ts'

/** The next step of every plan, the earliest first. */
export function Agenda({ plans }: { readonly plans: readonly PlanOnCalendar[] }) {
  const { when, release, step } = text.columns
  return (
    <Panel flush title={text.agenda}>
      <Table aria-label={text.agenda}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{release}</Table.Th>
            <Table.Th>{step}</Table.Th>
            <Table.Th>{when}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {inOrder(plans).map((plan) => (
            <AgendaRow key={`${plan.app}/${plan.channel}/${plan.version}`} plan={plan} />
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  )
}

function AgendaRow({ plan }: { readonly plan: PlanOnCalendar }) {
  const { app, channel, version, state } = plan
  const next = nextStepOf(state)
  return (
    <Table.Tr>
      <Table.Td>
        <Link to={paths.release({ app, channel, version })} className={classes.release}>
          <VersionBadge app={app} version={version} />
        </Link>
        <Text size="xs" c="dimmed">
          {text.place(app, channel)}
        </Text>
      </Table.Td>
      <Table.Td>
        {next === undefined ? text.finished : stepInWords(next)}
        <Text size="xs" c="dimmed">
          {planText.stepsDone(state.step, state.plan.steps.length)}
        </Text>
      </Table.Td>
      <Table.Td>
        {state.next === null ? (
          <StatusBadge status={state.status} />
        ) : (
          <NextStepTime next={state.next} />
        )}
      </Table.Td>
    </Table.Tr>
  )
}

function inOrder(plans: readonly PlanOnCalendar[]): PlanOnCalendar[] {
  // What has no time comes last.
  const timeOf = ({ state }: PlanOnCalendar) => state.next?.at ?? '~'
  return plans.toSorted((one, other) => (timeOf(one) < timeOf(other) ? -1 : 1))
}
