import { Group, Text } from '@mantine/core'
import type { ReleasePlace } from '../../../shared/console/releases/releases.ts'
import { type FailedShare, failedShare, type StopReason } from '../../../shared/health/judgement.ts'
import { stopReasonLine } from '../../../shared/wording/judgement.ts'
import { DeviceCount } from '../../components/release/device-count.tsx'
import { Strong } from '../../components/text/words.tsx'
import { writePlace } from '../../paths.ts'
import { verdictText as text } from './strings.ts'
import classes from './verdict.module.css'

interface Props {
  readonly release: ReleasePlace
  /** What a release is judged by, the clearest first. */
  readonly reasons: readonly StopReason[]
  readonly isFailing?: boolean
}

/** How many devices a release fails on, in a line, and a picture of it beside the limit and what it is compared with. */
export function Verdict({ release: { app, ...release }, reasons, isFailing = true }: Props) {
  const [clearest] = reasons
  if (clearest === undefined) return null
  return (
    <div>
      {reasons.map((reason) => (
        <Strong fw={600} key={reason.code}>
          {stopReasonLine(reason, isFailing)}
        </Strong>
      ))}
      {'gone' in clearest && clearest.gone !== undefined && (
        <Text size="sm" className={classes.gone}>
          {text.gone}{' '}
          <DeviceCount
            named
            count={clearest.gone}
            of={{
              ...{ app, health: 'offered', release: writePlace(release) },
              ...{ sort: 'lastSeen', order: 'asc' },
            }}
          />
        </Text>
      )}
      {clearest.judged > 0 && <Picture version={release.version} {...sharesOf(clearest)} />}
    </div>
  )
}

interface Shares {
  readonly release: FailedShare
  /** Of devices that are not offered the release; null without enough of them. */
  readonly control: FailedShare | null
  /** Of the previous release; null without one to compare with. */
  readonly previous: FailedShare | null
  /** Null if it is judged by the comparison alone. */
  readonly limitPct: number | null
}

function sharesOf(reason: StopReason): Shares {
  const { failed, judged } = reason
  const release = failedShare(failed, judged)
  switch (reason.code) {
    case 'too_many_failures': {
      const { failedPct: lowPct, highPct = release.highPct, limitPct } = reason
      const { control = null, previous = null } = reason
      return { release: { failed, judged, lowPct, highPct }, control, previous, limitPct }
    }
    case 'worse_than_previous': {
      const { previousPct, previousJudged } = reason
      const previous = failedShare((previousPct / 100) * previousJudged, previousJudged)
      return { release, control: null, previous, limitPct: null }
    }
    default:
      return reason satisfies never
  }
}

/** Ends of the scale, in percent. */
const ENDS = [1, 2, 5, 10, 20, 30, 50, 100]

function Picture({ version, ...shares }: Shares & { readonly version: string }) {
  const { release, control, previous, limitPct } = shares
  const compared = Math.max(control?.highPct ?? 0, previous?.highPct ?? 0)
  const largest = Math.max(release.highPct, compared, (limitPct ?? 0) * 1.25)
  const end = ENDS.find((each) => each >= largest) ?? 100
  const at = (percent: number) => `${(100 * Math.min(percent, end)) / end}%`
  const limit = limitPct === null ? undefined : at(limitPct)
  const row = (name: string, share: FailedShare, tone: Tone) => {
    const { failed, judged, lowPct, highPct } = share
    return (
      <div>
        <dt>{name}</dt>
        <dd>
          <span className={classes.words}>
            <b>{text.share(share)}</b> <span>{text.range(share)}</span>
          </span>
          <span
            className={classes.track}
            data-tone={tone}
            aria-hidden="true"
            style={{ '--low': at(lowPct), '--high': at(highPct), '--limit': limit }}
          >
            <span className={classes.range} />
            <span className={classes.share} style={{ left: at((100 * failed) / judged) }} />
            {limit !== undefined && <span className={classes.limit} />}
          </span>
        </dd>
      </div>
    )
  }
  return (
    <div className={classes.picture}>
      {limitPct !== null && (
        <div className={classes.limitName} style={{ '--limit': limit }}>
          <span>{text.limit(limitPct)}</span>
        </div>
      )}
      <dl>
        {row(version, release, toneOf(release, limitPct))}
        {control !== null && row(text.control, control, 'quiet')}
        {previous !== null && row(text.previous, previous, 'quiet')}
      </dl>
      <Group justify="space-between" c="dimmed" aria-hidden="true">
        <span>{text.percent(0)}</span>
        <span>{text.percent(end)}</span>
      </Group>
    </div>
  )
}

type Tone = 'good' | 'warn' | 'bad' | 'quiet'

function toneOf({ failed, judged, lowPct }: FailedShare, limitPct: number | null): Tone {
  if (limitPct === null || lowPct > limitPct) return 'bad'
  return (100 * failed) / judged > limitPct ? 'warn' : 'good'
}
