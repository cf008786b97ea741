import {
  type Icon,
  IconArrowBackUp,
  IconCircleCheck,
  IconCircleDashed,
  IconDownload,
  IconFileOff,
  IconSend,
  IconTargetOff,
} from '@tabler/icons-react'
import { Link } from 'react-router'
import type { LiveCheckIn } from '../../shared/console/fleet.ts'
import { VersionBadge } from '../components/release/version-badge.tsx'
import { MiddleText } from '../components/text/middle-text.tsx'
import { formatElsewhere, formatTime } from '../components/text/time.ts'
import { paths } from '../paths.ts'
import classes from './live-panel.module.css'
import { outcomeWords, platformWords, text } from './strings.ts'

const ICONS: Readonly<Record<NonNullable<LiveCheckIn['reason']>, Icon>> = {
  update: IconDownload,
  rollback: IconArrowBackUp,
  up_to_date: IconCircleCheck,
  no_release: IconCircleDashed,
  not_targeted: IconTargetOff,
  outside_cohort: IconCircleDashed,
  no_artifact: IconFileOff,
}

/** One check-in: when, what it runs, how it was answered, and which device it was. */
export function LiveRow({ app, checkIn }: { readonly app: string; readonly checkIn: LiveCheckIn }) {
  const { at, channel, deviceId, version, reason } = checkIn
  const Glyph = reason === null ? IconSend : ICONS[reason]
  const platform = platformWords(checkIn)
  return (
    <li className={classes.row}>
      <time dateTime={at} title={formatElsewhere(at)}>
        {formatTime(at, 'time')}
      </time>
      <VersionBadge app={app} version={version} />
      <span className={classes.outcome} data-reason={reason ?? 'none'}>
        <Glyph size={14} aria-hidden="true" />
        {outcomeWords(checkIn)}
      </span>
      <span className="cut">
        {deviceId === null ? (
          <span className={classes.quiet}>{text.anonymous}</span>
        ) : (
          <Link className="link" to={paths.device(app, deviceId)}>
            <MiddleText>{deviceId}</MiddleText>
          </Link>
        )}
      </span>
      <span className={`${classes.place} cut`} title={`${channel}, ${platform}`}>
        {channel}, {platform}
      </span>
    </li>
  )
}
