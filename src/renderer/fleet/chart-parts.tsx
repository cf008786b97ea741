import type { Dashboard } from '../../shared/console/fleet.ts'
import { VersionBadge } from '../components/release/version-badge.tsx'
import { When } from '../components/text/words.tsx'
import classes from './charts.module.css'
import type { NumberedMarks } from './numbered-marks.ts'
import { markWords, stepWords, text } from './strings.ts'

interface Props {
  readonly app: string
  readonly marks: NumberedMarks['list']
}

/** What was done to rollouts, latest first; the numbers are those of the lines in the chart. */
export function Marks({ app, marks }: Props) {
  if (marks.length === 0) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls takes the focus
    <ul className={classes.marks} aria-label={text.changes} tabIndex={0}>
      {marks.toReversed().map(({ number, mark }) => {
        const words = text.changeOn(mark.channel, markWords(mark))
        return (
          <li key={`${mark.at} ${mark.version} ${words}`} className={classes.mark}>
            <span className={classes.markNumber}>{number}</span>
            <VersionBadge app={app} version={mark.version} />
            <span className="cut" title={words}>
              {words}
            </span>
            <When at={mark.at} />
          </li>
        )
      })}
    </ul>
  )
}

/** Returns the lines of a chart at which something was done, each with its number in the list. */
export function referenceLines(lines: NumberedMarks['lines']) {
  return lines.map(({ at, label }) => ({
    ...{ x: at, label, color: 'var(--mantine-color-text)', strokeDasharray: '2 3' },
    labelPosition: 'top' as const,
  }))
}

/** A band of a chart: its name, its color as CSS, and its number at each step. */
interface Band {
  readonly name: string
  readonly color: string
  readonly numbers: readonly number[]
}

interface ChartTooltipProps {
  readonly data: Pick<Dashboard, 'unit' | 'steps'>
  /** From the top of the chart to its foot. */
  readonly bands: readonly Band[]
  readonly total: readonly number[]
  /** What the chart points at; a chart asks for a tooltip before anything is pointed at. */
  readonly at: unknown
}

/** Every band's number and share at the step that is pointed at. */
export function ChartTooltip({ data: { unit, steps }, bands, total, at }: ChartTooltipProps) {
  const step = typeof at === 'string' ? steps.indexOf(at) : -1
  if (step === -1 || typeof at !== 'string') return null
  const all = total[step] ?? 0
  return (
    <div className={classes.tooltip}>
      <div className={classes.tooltipTitle}>{stepWords(unit, at)}</div>
      <table>
        <tbody>
          {bands.map(({ name, color, numbers }) => (
            <tr key={name}>
              <td>
                <span className={classes.swatch} style={{ background: color }} />
              </td>
              <td className="cut" style={{ maxWidth: 168 }}>
                {name}
              </td>
              <td className={classes.tooltipNumber}>{text.amount(numbers[step] ?? 0, all)}</td>
            </tr>
          ))}
          <tr className={classes.tooltipTotal}>
            <td />
            <td>{text.total}</td>
            <td className={classes.tooltipNumber}>{text.amount(all, 0)}</td>
          </tr>
        </tbody>
      </table>
    </div>
  )
}
