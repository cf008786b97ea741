import { Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import type { PlanCalendar } from '../../shared/console/plans.ts'
import { Panel } from '../components/panel.tsx'
import { SmallButton } from '../components/small-button.tsx'
import { formatTime, isoDay, useTimeZone } from '../components/text/time.ts'
import classes from './calendar.module.css'
import { CalendarTable } from './calendar-table.tsx'
import { daysFrom, noonOf } from './days.ts'
import { text } from './strings.ts'

/** Two weeks of all plans and freezes at once, with the weeks before and after. */
export function CalendarPanel({ calendar }: { readonly calendar: PlanCalendar }) {
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
        <Text size="sm" c="dimmed" role="status">
          {text.range(formatTime(noonOf(first), 'date'), formatTime(noonOf(last), 'date'))}
        </Text>
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
