import { Anchor, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronRight, IconTargetArrow } from '@tabler/icons-react'
import { useId } from 'react'
import { Link } from 'react-router'
import type { ChannelOverview, LiveRelease, Overview } from '../../shared/console/overview.ts'
import type { PlanCalendar } from '../../shared/console/releases/plans.ts'
import { heldBackNow } from '../../shared/plans/plan-steps.ts'
import { formatCount, formatShare } from '../../shared/wording/format.ts'
import { useAccess } from '../bridge/access.ts'
import { LinkButton, PlainButton, Stat } from '../components/blocks.tsx'
import { DeviceCount } from '../components/release/device-count.tsx'
import { RolloutBar } from '../components/release/rollout-bar.tsx'
import { VersionLink } from '../components/release/version-badge.tsx'
import { Quiet, Small, When } from '../components/text/words.tsx'
import { paths } from '../paths.ts'
import { NextStepTime } from '../releases/plans/next-step-time.tsx'
import { nextStepOf, text as planText, stepInWords } from '../releases/plans/strings.ts'
import { StopButton } from '../releases/stop/stop-button.tsx'
import { HealthWord } from './health-word.tsx'
import classes from './overview.module.css'
import { keyOf, type ReleaseStates } from './release-states.ts'
import { text } from './strings.ts'

interface Props {
  readonly app: Pick<Overview['apps'][number], 'ref' | 'name'>
  readonly channel: ChannelOverview
  readonly states: ReleaseStates
}

/** One channel: every release that it offers now, how far and how well it is, what comes next, and its devices on request. */
export function ChannelRow({ app, channel, states }: Props) {
  const label = text.channelLabel(app.name, channel.name)
  const { live, seenLast7Days } = channel
  const on = { app: app.ref, channel: channel.name }
  const [isOpen, { toggle }] = useDisclosure()
  const details = useId()
  return (
    <section className={classes.channel} aria-label={label}>
      <Stack gap={2} align="start" miw={0}>
        <Anchor
          component={Link}
          to={paths.channelReleases(app.ref, channel.name)}
          fw={600}
          c="inherit"
          aria-label={text.channelReleases(label)}
        >
          {channel.name}
        </Anchor>
        <Small>
          <DeviceCount named count={seenLast7Days} of={{ ...on, seen: '7d' }} />
        </Small>
        {channel.shareUpToDate !== null && <Small>{text.upToDate(channel.shareUpToDate)}</Small>}
        <PlainButton
          variant="subtle"
          size="compact-xs"
          className={classes.more}
          aria-expanded={isOpen}
          aria-controls={details}
          aria-label={text.detailsOf(label)}
          icon={IconChevronRight}
          onClick={toggle}
        >
          {text.details}
        </PlainButton>
      </Stack>
      {live.length === 0 ? (
        <NothingLive app={app.ref} channel={channel} />
      ) : (
        <Stack component="ul" gap="sm" className="plain-list" aria-label={text.live(label)}>
          {live.map((release) => (
            <LiveRow key={release.version} on={on} release={release} states={states} />
          ))}
        </Stack>
      )}
      <div id={details} className={classes.details} hidden={!isOpen}>
        {isOpen && <Details on={on} channel={channel} />}
      </div>
    </section>
  )
}

interface Place {
  readonly app: string
  readonly channel: string
}

function Details({ on, channel }: { readonly on: Place; readonly channel: ChannelOverview }) {
  return (
    <dl className={classes.stats}>
      <Stat
        label={text.stats.seen24Hours}
        value={<DeviceCount count={channel.seenLast24Hours} of={{ ...on, seen: '24h' }} />}
      />
      <Stat
        label={text.stats.seen7Days}
        value={<DeviceCount count={channel.seenLast7Days} of={{ ...on, seen: '7d' }} />}
      />
      <Stat label={text.stats.upToDate} value={formatShare(channel.shareUpToDate)} />
      <Stat label={text.stats.checkIns24Hours} value={formatCount(channel.checkInsLast24Hours)} />
    </dl>
  )
}

interface NothingLiveProps {
  readonly app: string
  readonly channel: ChannelOverview
}

function NothingLive({ app, channel: { name, releases } }: NothingLiveProps) {
  const { may } = useAccess()
  return (
    <Group gap="8px 16px">
      <Quiet>{releases === 0 ? text.noReleases : text.nothingLive}</Quiet>
      {may('release_manager', app) && (
        <LinkButton size="xs" to={paths.publishTo(app, name)}>
          {text.publish}
        </LinkButton>
      )}
    </Group>
  )
}

interface LiveRowProps {
  readonly on: Place
  readonly release: LiveRelease
  readonly states: ReleaseStates
}

function LiveRow({ on, release, states }: LiveRowProps) {
  const { version, rolloutPct, adoption, devices, targeted } = release
  const place = { ...on, version }
  const plan = states.plans.get(keyOf(place))
  return (
    <li className={classes.rollout}>
      <VersionLink release={place} />
      <div>
        <RolloutBar pct={rolloutPct} adoption={adoption} />
        <Small className={classes.words}>
          {adoption === null ? (
            text.noDevices
          ) : (
            <>
              {text.adoption(adoption)}
              <DeviceCount named count={devices} of={{ ...place, seen: '7d' }} />
            </>
          )}
          {targeted && (
            <>
              <IconTargetArrow size={14} aria-hidden="true" /> {text.targeted}
            </>
          )}
        </Small>
      </div>
      <HealthWord
        place={place}
        health={plan?.health ?? release.health}
        isFailing={states.failing.has(keyOf(place))}
      />
      {plan === undefined ? <Quiet>{text.noPlan(rolloutPct)}</Quiet> : <Next plan={plan} />}
      <StopButton release={place} />
    </li>
  )
}

/** What a plan does next, and when. */
function Next({ plan: { state } }: { readonly plan: PlanCalendar['plans'][number] }) {
  const next = nextStepOf(state)
  const heldBack = heldBackNow(state)
  return (
    <div className={classes.next}>
      {state.status !== 'running' ? (
        text.plans.states[state.status]
      ) : heldBack !== undefined && state.next?.at != null ? (
        <>
          {planText.heldBackUntil(heldBack)} <When at={state.next.at} as="dayAndHour" />
        </>
      ) : next === undefined ? (
        text.plans.lastStep
      ) : (
        text.plans.next(stepInWords(next))
      )}
      {state.next !== null && <NextStepTime next={state.next} />}
      <Small>{planText.stepsDone(state)}</Small>
    </div>
  )
}
