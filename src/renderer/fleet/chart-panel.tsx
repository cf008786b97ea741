import '@mantine/charts/styles.css'
import { Button, VisuallyHidden } from '@mantine/core'
import { type ComponentProps, type ReactNode, useDeferredValue, useId, useState } from 'react'
import type { Dashboard } from '../../shared/console/fleet.ts'
import { formatCount } from '../../shared/wording/format.ts'
import { Panel } from '../components/blocks.tsx'
import { formatTime, formatUtcDay, isMidnight } from '../components/text/time.ts'
import { Quiet } from '../components/text/words.tsx'
import classes from './chart-table.module.css'
import { text } from './strings.ts'

interface Props {
  readonly title: string
  /** What the chart says, in a sentence. */
  readonly summary: string
  readonly table: Omit<ComponentProps<typeof NumberTable>, 'shown'>
  /** The picture. It is not there for screen readers, which have the sentence and the table. */
  readonly chart?: ReactNode
  /** Pixels of the picture, which is drawn once the rest of the screen is. */
  readonly height?: number
  readonly children?: ReactNode
}

/** A chart with its sentence, and its numbers as a table on demand. */
export function ChartPanel({ title, summary, table, chart, height, children }: Props) {
  const drawn = useDeferredValue(chart, null)
  const [shown, setShown] = useState(false)
  return (
    <Panel
      title={title}
      actions={
        <Button
          variant={shown ? 'light' : 'subtle'}
          size="xs"
          aria-label={text.showTableOf(title)}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        >
          {text.showTable}
        </Button>
      }
    >
      <Quiet mb="sm" className="wraps">
        {summary}
      </Quiet>
      {chart !== undefined && (
        // A chart follows the width of the window a moment later.
        <div aria-hidden="true" style={{ minHeight: height, overflowX: 'clip' }}>
          {drawn}
        </div>
      )}
      {children}
      <NumberTable {...table} shown={shown} />
    </Panel>
  )
}

interface NumberTableProps {
  readonly caption: string
  /** The name of the first column, then one for each column of numbers. */
  readonly columns: readonly string[]
  readonly rows: readonly { readonly name: string; readonly numbers: readonly number[] }[]
  /** Only for screen readers where it is false. */
  readonly shown: boolean
}

/** The numbers of a chart: always there to be read aloud, seen when asked for. */
function NumberTable({ caption, columns, rows, shown }: NumberTableProps) {
  const id = useId()
  // Plain elements: those of Mantine take four times as long, for hundreds of cells that hardly anybody sees.
  const table = (
    <table className={classes.list}>
      <caption id={id} className={classes.caption}>
        {caption}
      </caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, numbers }, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an hour has the same name twice when clocks go back
          <tr key={row}>
            <th scope="row">{name}</th>
            {numbers.map((number, index) => (
              <td key={columns[index + 1]}>{formatCount(number)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
  if (!shown) return <VisuallyHidden component="div">{table}</VisuallyHidden>
  return <Scrolling labelledBy={id}>{table}</Scrolling>
}

function Scrolling({ labelledBy, children }: { labelledBy: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls takes the focus
    <section className={classes.table} aria-labelledby={labelledBy} tabIndex={0}>
      {children}
    </section>
  )
}

type Steps = Pick<Dashboard, 'unit' | 'steps'>

/** What an axis of steps needs: a week of hours has a tick where each day begins. */
export function axisOf({ unit, steps }: Steps) {
  const days = unit === 'hour' && steps.length > 24
  return {
    tickFormatter: (at: unknown) => tickWords({ unit, steps }, String(at)),
    minTickGap: 40,
    interval: 'equidistantPreserveStart',
    ...(days ? { ticks: steps.filter((at) => isMidnight(at)) } : {}),
  } as const
}

/** A step as short as an axis wants it. */
function tickWords({ unit, steps }: Steps, at: string): string {
  if (unit === 'day') return formatUtcDay(at)
  return formatTime(at, steps.length > 24 ? 'day' : 'hour')
}
