import { IconAlertOctagon } from '@tabler/icons-react'
import type { Overview } from '../../shared/console/overview.ts'
import { FAILURES } from '../../shared/health/health.ts'
import { HEALTH_LABELS } from '../../shared/wording/judgement.ts'
import { DeviceCount } from '../components/release/device-count.tsx'
import { Quiet, TextLink, When } from '../components/text/words.tsx'
import { paths, writePlace } from '../paths.ts'
import { Verdict } from '../releases/health/verdict.tsx'
import { FailingActions } from '../releases/serving/failing-actions.tsx'
import classes from './attention.module.css'
import { text } from './strings.ts'

type Props = Overview['attention']['failing'][number]

/** A release that failed on too many devices: on how many, what the server did about it, and what a person can do. */
export function FailingRelease({ status, reasons, health, stoppedAt, isHeld, ...place }: Props) {
  const { app, channel, version } = place
  const words = text.attention.failing
  const failures = FAILURES.filter((failure) => health[failure] > 0)
  return (
    <li className={classes.item} data-failing="true">
      <IconAlertOctagon size={16} className={classes.icon} aria-hidden="true" />
      <div className={classes.failing}>
        <div className={classes.words}>
          <TextLink to={paths.release(place)}>
            {text.attention.artifactOf(version, text.attention.channel(app, channel))}
          </TextLink>{' '}
          <Quiet span>
            {isHeld ? words.held : words.state(status, stoppedAt !== null)}
            {stoppedAt !== null && (
              <>
                {' · '}
                <When at={stoppedAt} />
              </>
            )}
          </Quiet>
        </div>
        <Verdict release={{ app, channel, version }} reasons={reasons} />
        {failures.length > 0 && (
          <ul className={`plain-list ${classes.kinds}`} aria-label={words.failures}>
            {failures.map((failure) => (
              <li key={failure}>
                {`${HEALTH_LABELS[failure]}: `}
                <DeviceCount
                  named
                  count={health[failure]}
                  of={{ app, health: failure, release: writePlace(place) }}
                />
              </li>
            ))}
          </ul>
        )}
        <FailingActions release={place} status={status} isListed />
      </div>
    </li>
  )
}
