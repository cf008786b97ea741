import { Link } from 'react-router'
import { DataTable } from '../components/list/data-table.tsx'
import { Panel } from '../components/panel.tsx'
import { StatusBadge } from '../components/release/status-badge.tsx'
import { VersionBadge } from '../components/release/version-badge.tsx'
import { Small } from '../components/text/quiet.tsx'
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
      <Link to={paths.release({ app, channel, version })} className={classes.release}>
        <VersionBadge app={app} version={version} />
      </Link>
      <Small>{text.place(app, channel)}</Small>
    </>
  )
}

function Step({ state }: Pick<PlanOnCalendar, 'state'>) {
  const next = nextStepOf(state)
  return (
    <>
      {next === undefined ? text.finished : stepInWords(next)}
      <Small>{planText.stepsDone(state.step, state.plan.steps.length)}</Small>
    </>
  )
}

function inOrder(plans: readonly PlanOnCalendar[]): PlanOnCalendar[] {
  // What has no time comes last.
  const timeOf = ({ state }: PlanOnCalendar) => state.next?.at ?? '~'
  return plans.toSorted((one, other) => (timeOf(one) < timeOf(other) ? -1 : 1))
}
