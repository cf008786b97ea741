import { Text, VisuallyHidden } from '@mantine/core'
import { IconSnowflake } from '@tabler/icons-react'
import { Fragment } from 'react'
import type { PlanCalendar } from '../../../shared/console/releases/plans.ts'
import type { Freeze } from '../../../shared/plans/freeze.ts'
import { allSteps } from '../../../shared/plans/plan-steps.ts'
import { VersionLink } from '../../components/release/version-badge.tsx'
import { formatTime } from '../../components/text/time.ts'
import { stepInShort } from '../plans/strings.ts'
import classes from './calendar.module.css'
import { freezesOn, noonOf, type PlanOnCalendar, planOn } from './days.ts'
import { text } from './strings.ts'

interface Props {
  readonly calendar: PlanCalendar
  readonly days: readonly string[]
  readonly today: string
}

/** A row for each plan, below one for the freezes of its app, with a column for each day. */
export function CalendarTable({ calendar, days, today }: Props) {
  const { plans, freezes } = calendar
  const freezesOf = new Map(freezes.map((each) => [each.app, each.freezes]))
  const apps = [...new Set([...plans.map(({ app }) => app), ...freezesOf.keys()])].sort()
  return (
    <table className={classes.table} aria-label={text.planTable}>
      <thead>
        <tr>
          <th scope="col">{text.release}</th>
          {days.map((day) => (
            <th key={day} scope="col" data-today={day === today} className={classes.day}>
              <span>{formatTime(noonOf(day), 'weekday')}</span>{' '}
              <span>{formatTime(noonOf(day), 'dayOfMonth')}</span>
              {day === today && <VisuallyHidden>{` ${text.isToday}`}</VisuallyHidden>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {apps.map((app) => {
          const held = freezesOf.get(app) ?? []
          return (
            <Fragment key={app}>
              {held.length > 0 && <FreezeRow app={app} freezes={held} days={days} today={today} />}
              {plans
                .filter((plan) => plan.app === app)
                .map((plan) => (
                  <PlanRow
                    key={`${plan.channel}/${plan.version}`}
                    plan={plan}
                    freezes={held}
                    days={days}
                    today={today}
                  />
                ))}
            </Fragment>
          )
        })}
      </tbody>
    </table>
  )
}

interface RowProps extends Pick<Props, 'days' | 'today'> {
  readonly freezes: readonly Freeze[]
}

function FreezeRow({ app, freezes, days, today }: RowProps & { readonly app: string }) {
  return (
    <tr>
      <th scope="row">{text.freezesOf(app)}</th>
      {days.map((day) => {
        const held = freezesOn(freezes, day)
        const words = held.map(({ name }) => name || text.unnamed).join(', ')
        const kind = held.length > 0 ? 'frozen' : undefined
        return (
          <td key={day} data-today={day === today} data-kind={kind}>
            {held.length > 0 && (
              <span title={words}>
                <IconSnowflake size={14} aria-hidden="true" />
                <VisuallyHidden>{words}</VisuallyHidden>
              </span>
            )}
          </td>
        )
      })}
    </tr>
  )
}

function PlanRow({ plan, freezes, days, today }: RowProps & { readonly plan: PlanOnCalendar }) {
  const { app, channel, version } = plan
  const place = text.place(app, channel)
  return (
    <tr>
      <th scope="row">
        <VersionLink release={{ app, channel, version }} />
        <Text span inherit display="block" c="dimmed" className="cut" title={place}>
          {place}
        </Text>
      </th>
      {days.map((day) => (
        <PlanCell key={day} plan={plan} freezes={freezes} day={day} isToday={day === today} />
      ))}
    </tr>
  )
}

interface CellProps {
  readonly plan: PlanOnCalendar
  readonly freezes: readonly Freeze[]
  readonly day: string
  readonly isToday: boolean
}

function PlanCell({ plan, freezes, day, isToday }: CellProps) {
  const { steps, isFinished, isClosed } = planOn(plan, day)
  const words = steps.flatMap((index) => {
    const step = allSteps(plan.state.plan)[index]
    return step === undefined ? [] : [stepInShort(step)]
  })
  if (isFinished) words.push(text.finished)
  const isFrozen = freezesOn(freezes, day).length > 0
  const kind = steps.length > 0 ? 'step' : isFrozen ? 'frozen' : isClosed ? 'closed' : undefined
  return (
    <td data-today={isToday} data-kind={kind}>
      {words.map((word) => (
        <span key={word} className={classes.step}>
          {word}
        </span>
      ))}
      {words.length === 0 && kind !== undefined && kind !== 'step' && (
        <VisuallyHidden>{text[kind]}</VisuallyHidden>
      )}
    </td>
  )
}
