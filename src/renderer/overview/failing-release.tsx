import { IconAlertOctagon } from '@tabler/icons-react'
import { Fragment } from 'react'
import { Link } from 'react-router'
import type { Overview } from '../../shared/console/overview.ts'
import { FAILURES } from '../../shared/health.ts'
import { HEALTH_LABELS, stopReasonLine } from '../../shared/wording/judgement.ts'
import { DeviceCount } from '../components/release/device-count.tsx'
import { When } from '../components/text/when.tsx'
import { paths, writePlace } from '../paths.ts'
import { StopButton } from '../releases/stop/stop-button.tsx'
import classes from './attention.module.css'
import { text } from './strings.ts'

type Props = Overview['attention']['failing'][number]

/** A release that failed on too many devices: what the server did about it, and why. */
export function FailingRelease({ status, reasons, health, stoppedAt, isHeld, ...place }: Props) {
  const words = text.attention.failing
  return (
    <li className={classes.item}>
      <IconAlertOctagon size={16} className={classes.icon} aria-hidden="true" />
      <span className={classes.words}>
        <Link className="link" to={paths.release(place)}>
          {text.attention.artifactOf(
            place.version,
            text.attention.channel(place.app, place.channel),
          )}
        </Link>
        {`: ${isHeld ? words.held : words.state(status, stoppedAt !== null)} `}
        {reasons.map((reason) => `${stopReasonLine(reason)}. `)}
        {FAILURES.filter((failure) => health[failure] > 0).map((failure) => (
          <Fragment key={failure}>
            {`${HEALTH_LABELS[failure]}: `}
            <DeviceCount
              named
              count={health[failure]}
              of={{ app: place.app, health: failure, release: writePlace(place) }}
            />
            {'. '}
          </Fragment>
        ))}
        {stoppedAt !== null && (
          <>
            {`${words.since} `}
            <When at={stoppedAt} />
          </>
        )}
      </span>
      {status === 'published' && <StopButton release={place} />}
    </li>
  )
}
