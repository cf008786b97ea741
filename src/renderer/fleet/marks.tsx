import { VersionBadge } from '../components/release/version-badge.tsx'
import { When } from '../components/text/when.tsx'
import classes from './charts.module.css'
import type { NumberedMarks } from './numbered-marks.ts'
import { markWords, text } from './strings.ts'

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
      {marks.toReversed().map(({ number, mark }) => (
        <li
          key={`${mark.at} ${mark.channel} ${mark.version} ${mark.change}`}
          className={classes.mark}
        >
          <span className={classes.markNumber}>{number}</span>
          <VersionBadge app={app} version={mark.version} />
          <span className={classes.markWords}>{text.changeOn(mark.channel, markWords(mark))}</span>
          <When at={mark.at} />
        </li>
      ))}
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
