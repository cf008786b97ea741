import { formatPercent, formatShare } from '../../../shared/wording/format.ts'
import bar from '../components.module.css'
import { text } from '../strings.ts'
import classes from './release.module.css'

interface Props {
  /** Percent of the devices that the release is offered to. */
  readonly pct: number
  /** Share of the devices that run it, 0 to 1; null or left out where it is not known. */
  readonly adoption?: number | null
  /** False where the release is paused or rolled back: the bar loses its colour. */
  readonly active?: boolean
  /** Leaves the percentage beside the bar out, where a column says it already. */
  readonly bare?: boolean
}

/** How far a rollout is, with a notch where adoption stands. */
export function RolloutBar({ pct, adoption = null, active = true, bare = false }: Props) {
  const words =
    adoption === null
      ? text.rollout(formatPercent(pct))
      : text.rolloutAndAdoption(formatPercent(pct), formatShare(adoption))
  return (
    <span className={classes.root} title={words}>
      <span className={`${bar.track} ${classes.track}`} role="img" aria-label={words}>
        <span
          className={`${bar.fill} ${classes.fill}`}
          data-active={active}
          style={{ width: `${pct}%` }}
        />
        {adoption !== null && (
          <span className={classes.notch} style={{ left: `${Math.min(1, adoption) * 100}%` }} />
        )}
      </span>
      {!bare && (
        <span className={classes.label} aria-hidden="true">
          {formatPercent(pct)}
        </span>
      )}
    </span>
  )
}

/** What the parts of the bars on a screen mean. */
export function RolloutLegend() {
  return (
    <span className={classes.legend}>
      <span className={`${bar.fill} ${classes.sample}`} aria-hidden="true" />
      {text.legend.rollout}
      <span className={`${classes.notch} ${classes.sample}`} aria-hidden="true" />
      {text.legend.adoption}
    </span>
  )
}
