import { Stack } from '@mantine/core'
import {
  type Icon,
  IconAlertTriangle,
  IconCircleCheck,
  IconClock,
  IconSend,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { HealthFilter } from '../../../shared/console/devices.ts'
import type { ReleasePlace } from '../../../shared/console/releases/releases.ts'
import {
  HEALTH_STATES,
  type HealthState,
  type ReleaseHealth,
} from '../../../shared/health/health.ts'
import { formatCount } from '../../../shared/wording/format.ts'
import { HEALTH_LABELS } from '../../../shared/wording/judgement.ts'
import { DeviceCount } from '../../components/release/device-count.tsx'
import { Small, Toned } from '../../components/text/words.tsx'
import { writePlace } from '../../paths.ts'
import classes from './health.module.css'
import { text } from './strings.ts'

interface Props {
  readonly place: ReleasePlace
  readonly health: ReleaseHealth
  /** Of those that adopted it, the devices that were offered another release since: no list has them. */
  readonly movedOn: number
}

const GLYPHS: Readonly<Record<HealthState, Icon>> = {
  waiting: IconClock,
  adopted: IconCircleCheck,
  stuck: IconAlertTriangle,
  reverted: IconAlertTriangle,
  silent: IconAlertTriangle,
  reported: IconAlertTriangle,
}

/** How many devices are in which state. A number that leads to their list is as large as the list is long. */
export function HealthCounts({ place, health, movedOn }: Props) {
  const countOf = (state: HealthFilter & keyof ReleaseHealth, gone = 0) => {
    const { app, ...release } = place
    const of = { app, release: writePlace(release), health: state }
    const listed = health[state] - gone
    return {
      total: gone === 0 ? <DeviceCount count={listed} of={of} /> : formatCount(health[state]),
      note: gone > 0 && (
        <>
          <DeviceCount count={listed} of={of} named /> {text.listed(listed)} {text.movedOn(gone)}
        </>
      ),
    }
  }
  return (
    <Stack component="dl" gap={4} m={0} aria-label={text.counts}>
      <Count name={text.offered} Glyph={IconSend} tone="quiet" {...countOf('offered', movedOn)} />
      {HEALTH_STATES.map((state) => (
        <Count
          key={state}
          name={HEALTH_LABELS[state]}
          hint={health[state] > 0 ? text.hints[state] : undefined}
          Glyph={GLYPHS[state]}
          tone={toneOf(state, health[state])}
          {...countOf(state, state === 'adopted' ? movedOn : 0)}
        />
      ))}
    </Stack>
  )
}

function toneOf(state: HealthState, count: number): 'good' | 'bad' | 'quiet' {
  if (count === 0 || state === 'waiting') return 'quiet'
  return state === 'adopted' ? 'good' : 'bad'
}

interface CountProps {
  readonly name: string
  /** What the name means. */
  readonly hint?: string | undefined
  readonly Glyph: Icon
  readonly tone: 'good' | 'bad' | 'quiet'
  readonly total: ReactNode
  /** Who is listed, where that is not everybody. */
  readonly note: ReactNode
}

function Count({ name, hint, Glyph, tone, total, note }: CountProps) {
  return (
    <div className={classes.count}>
      <dt>
        <Toned isPlain tone={tone} icon={Glyph} gap={6}>
          {name}
        </Toned>
        {hint !== undefined && (
          <Small span display="block">
            {hint}
          </Small>
        )}
        {note !== false && (
          <Small span display="block">
            {note}
          </Small>
        )}
      </dt>
      <dd>{total}</dd>
    </div>
  )
}
