import { Button, Text } from '@mantine/core'
import { memo, useMemo, useState } from 'react'
import { Link } from 'react-router'
import type { LiveRelease, Overview } from '../../shared/console/overview.ts'
import type { PlanCalendar } from '../../shared/console/releases/plans.ts'
import type { ReleasePlace } from '../../shared/console/releases/releases.ts'
import { heldBackNow } from '../../shared/plans/plan-steps.ts'
import { Panel } from '../components/panel.tsx'
import { DeviceCount } from '../components/release/device-count.tsx'
import { RolloutBar } from '../components/release/rollout-bar.tsx'
import { VersionLink } from '../components/release/version-badge.tsx'
import { Quiet, Small } from '../components/text/quiet.tsx'
import { When } from '../components/text/when.tsx'
import { paths } from '../paths.ts'
import { NextStepTime } from '../releases/plans/next-step-time.tsx'
import { nextStepOf, text as planText, stepInWords } from '../releases/plans/strings.ts'
import { StopButton } from '../releases/stop/stop-button.tsx'
import classes from './overview.module.css'
import { text } from './strings.ts'

/** Lines shown at first. */
const FEW = 8

interface Rollout extends LiveRelease {
  readonly app: string
  readonly channel: string
}

interface Props extends Pick<Overview, 'apps'> {
  /** The releases that are shown with their plan, see `keyOf`. */
  readonly planned: ReadonlySet<string>
}

/** One line for each release that a person offered to a part of the devices. */
export const RolloutsPanel = memo(function RolloutsPanel({ apps, planned }: Props) {
  const [showsAll, setShowsAll] = useState(false)
  const rollouts = useMemo(
    () => rolloutsOf(apps).filter((rollout) => !planned.has(keyOf(rollout))),
    [apps, planned],
  )
  if (rollouts.length === 0) return null
  const shown = showsAll ? rollouts : rollouts.slice(0, FEW)
  return (
    <Panel
      flush
      title={text.rollouts.title}
      actions={
        shown.length < rollouts.length && (
          <Button variant="subtle" size="xs" onClick={() => setShowsAll(true)}>
            {text.rollouts.showAll(rollouts.length)}
          </Button>
        )
      }
    >
      <ul className={classes.list} aria-label={text.rollouts.title}>
        {shown.map((rollout) => (
          <RolloutLine key={keyOf(rollout)} rollout={rollout} />
        ))}
      </ul>
    </Panel>
  )
})

const RolloutLine = memo(function RolloutLine({ rollout }: { readonly rollout: Rollout }) {
  const { app, channel, version, rolloutPct, adoption, devices } = rollout
  const place = text.rollouts.place(app, channel)
  return (
    <li className={classes.line}>
      <VersionLink release={{ app, channel, version }} />
      <Text size="sm" className="cut" title={place}>
        {place}
      </Text>
      <RolloutBar bare pct={rolloutPct} adoption={adoption} />
      <Text size="sm" className={classes.progress}>
        <span role="img" aria-label={text.rollouts.progressLabel(adoption, rolloutPct)}>
          {text.rollouts.progress(adoption, rolloutPct)}
        </span>
      </Text>
      <Quiet>
        <DeviceCount named count={devices} of={{ app, channel, version, seen: '7d' }} />
      </Quiet>
      <StopButton release={{ app, channel, version }} />
    </li>
  )
})

function rolloutsOf(apps: Overview['apps']): Rollout[] {
  return apps.flatMap(({ ref, channels }) =>
    channels.flatMap(({ name, live }) =>
      live
        .filter(({ rolloutPct }) => rolloutPct > 0 && rolloutPct < 100)
        .map((release) => ({ ...release, app: ref, channel: name })),
    ),
  )
}

interface PlansPanelProps {
  /** Those that are running. */
  readonly plans: PlanCalendar['plans']
  readonly apps: Overview['apps']
}

/** One line for each plan that is running: how far it is, and what comes next, and when. */
export const PlansPanel = memo(function PlansPanel({ plans, apps }: PlansPanelProps) {
  const adoption = useMemo(() => adoptionOf(apps), [apps])
  if (plans.length === 0) return null
  return (
    <Panel
      flush
      title={text.plans.title}
      actions={
        <Link className="link" to={paths.calendar}>
          {text.plans.calendar}
        </Link>
      }
    >
      <ul className={classes.list} aria-label={text.plans.title}>
        {plans.map((plan) => (
          <PlanLine key={keyOf(plan)} plan={plan} adoption={adoption.get(keyOf(plan)) ?? null} />
        ))}
      </ul>
    </Panel>
  )
})

interface LineProps {
  readonly plan: PlanCalendar['plans'][number]
  readonly adoption: number | null
}

function PlanLine({ plan, adoption }: LineProps) {
  const { app, channel, version, rolloutPct, state } = plan
  const place = text.rollouts.place(app, channel)
  const next = nextStepOf(state)
  const heldBack = heldBackNow(state)
  return (
    <li className={`${classes.line} ${classes.planned}`}>
      <VersionLink release={{ app, channel, version }} />
      <Text size="sm" className="cut" title={place}>
        {place}
      </Text>
      <div>
        <RolloutBar pct={rolloutPct} adoption={adoption} />
        <Small>{planText.stepsDone(state)}</Small>
      </div>
      <div>
        <Text size="sm" fw={500}>
          {heldBack !== undefined && state.next?.at != null ? (
            <>
              {planText.heldBackUntil(heldBack)} <When at={state.next.at} as="dayAndHour" />
            </>
          ) : next === undefined ? (
            text.plans.lastStep
          ) : (
            text.plans.next(stepInWords(next))
          )}
        </Text>
        <Text size="sm" component="div">
          {state.next !== null && <NextStepTime next={state.next} />}
        </Text>
      </div>
      <StopButton release={{ app, channel, version }} />
    </li>
  )
}

/** Names the release of a plan among all. */
export function keyOf({ app, channel, version }: ReleasePlace): string {
  return `${app}/${channel}/${version}`
}

function adoptionOf(apps: Overview['apps']): ReadonlyMap<string, number | null> {
  return new Map(
    apps.flatMap(({ ref: app, channels }) =>
      channels.flatMap(({ name: channel, live }) =>
        live.map(({ version, adoption }) => [keyOf({ app, channel, version }), adoption] as const),
      ),
    ),
  )
}
