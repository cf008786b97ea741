import { failedOf, type ReleaseHealth } from '../../shared/health.ts'
import classes from './health.module.css'
import { healthInWords } from './strings.ts'

/** The shares of devices that adopted a release, wait or failed; the numbers stand below it. */
export function HealthBar({ health }: { readonly health: ReleaseHealth }) {
  const parts = [
    ['adopted', health.adopted],
    ['failed', failedOf(health)],
    ['waiting', health.waiting],
  ] as const
  const words = healthInWords(health)
  return (
    <div className={classes.bar} role="img" aria-label={words} title={words}>
      {parts.map(([kind, count]) => (
        <span key={kind} data-kind={kind} style={{ flexGrow: count }} />
      ))}
    </div>
  )
}
