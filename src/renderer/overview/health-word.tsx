import { Text } from '@mantine/core'
import { IconAlertOctagon, IconCircleCheck, IconClock } from '@tabler/icons-react'
import type { ReleasePlace } from '../../shared/console/releases/releases.ts'
import { FAILURES, failedOf, judgedOf, type ReleaseHealth } from '../../shared/health/health.ts'
import { HEALTH_LABELS } from '../../shared/wording/judgement.ts'
import { DeviceCount } from '../components/release/device-count.tsx'
import { Toned } from '../components/text/words.tsx'
import { writePlace } from '../paths.ts'
import classes from './overview.module.css'
import { text } from './strings.ts'

interface Props {
  readonly place: ReleasePlace
  /** Null where no device was offered the release, or it is not counted here. */
  readonly health: ReleaseHealth | null
  /** Whether it failed on too many devices. */
  readonly isFailing: boolean
}

/** How a release does: nothing where nobody was offered it, else how many devices failed, with the kinds as links. */
export function HealthWord({ place, health, isFailing }: Props) {
  if (health === null) return <span className={classes.health} />
  const failed = failedOf(health)
  const judged = judgedOf(health)
  const tone = isFailing ? 'bad' : failed > 0 ? 'warn' : judged > 0 ? 'good' : 'quiet'
  const Glyph =
    failed > 0 || isFailing ? IconAlertOctagon : judged > 0 ? IconCircleCheck : IconClock
  return (
    <div className={classes.health} data-tone={tone}>
      <Text span inherit fw={500}>
        <Toned icon={Glyph}>{text.health(failed, judged)}</Toned>
      </Text>
      {FAILURES.filter((failure) => health[failure] > 0).map((failure) => (
        <span key={failure} className={classes.kind}>
          {`${HEALTH_LABELS[failure]}: `}
          <DeviceCount
            named
            count={health[failure]}
            of={{ app: place.app, health: failure, release: writePlace(place) }}
          />
        </span>
      ))}
    </div>
  )
}
