import type { Dashboard } from '../../shared/console/fleet.ts'
import classes from './charts.module.css'
import { stepWords, text } from './strings.ts'

/** A band of a chart: its name, its color as CSS, and its number at each step. */
interface Band {
  readonly name: string
  readonly color: string
  readonly numbers: readonly number[]
}

interface Props {
  readonly data: Pick<Dashboard, 'unit' | 'steps'>
  /** From the top of the chart to its foot. */
  readonly bands: readonly Band[]
  readonly total: readonly number[]
  /** What the chart points at; a chart asks for a tooltip before anything is pointed at. */
  readonly at: unknown
}

/** Every band's number and share at the step that is pointed at. */
export function ChartTooltip({ data: { unit, steps }, bands, total, at }: Props) {
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
              <td className={classes.tooltipName}>{name}</td>
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
