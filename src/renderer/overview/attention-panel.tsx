import { Stack } from '@mantine/core'
import {
  type Icon,
  IconAlertTriangle,
  IconFileAlert,
  IconGauge,
  IconPlayerPause,
  IconWebhook,
  IconZzz,
} from '@tabler/icons-react'
import { memo, type ReactNode } from 'react'
import type { Overview } from '../../shared/console/overview.ts'
import type { PlanCalendar } from '../../shared/console/releases/plans.ts'
import type { ReleasePlace } from '../../shared/console/releases/releases.ts'
import { storageProblemSentence } from '../../shared/wording/operation/storage-problem.ts'
import { planReasonSentence } from '../../shared/wording/plan.ts'
import { proofFailureSentence } from '../../shared/wording/proof.ts'
import { Panel } from '../components/blocks.tsx'
import { DeviceCount } from '../components/release/device-count.tsx'
import { StatusBadge } from '../components/release/status-badge.tsx'
import { VersionLink } from '../components/release/version-badge.tsx'
import { Quiet, Strong, TextLink, When } from '../components/text/words.tsx'
import { paths } from '../paths.ts'
import classes from './attention.module.css'
import { FailingRelease } from './failing-release.tsx'
import { keyOf } from './release-states.ts'
import { budgetSentence, text } from './strings.ts'

interface Props extends Pick<Overview, 'attention' | 'telemetry' | 'budgets'> {
  /** Plans that wait for a person. */
  readonly suspended: PlanCalendar['plans']
}

/** What somebody should look at, in one list. Trouble of the server itself stands above every screen. */
export const AttentionPanel = memo(function AttentionPanel(props: Props) {
  const { attention, telemetry, budgets, suspended } = props
  const { withdrawn, silent, moreWithdrawn, moreSilent, webhooks } = attention
  const { artifacts, moreArtifacts, provingFailed, plansFailed, bucketOutage } = attention
  const { failing, moreFailing, nodesNotServing } = attention
  const isStored = telemetry === null || (telemetry.failure === null && telemetry.lost === 0)
  const notStored = isStored ? null : telemetry
  const things =
    failing.length +
    suspended.length +
    budgets.length +
    withdrawn.length +
    silent.length +
    webhooks.length +
    nodesNotServing +
    artifacts.length
  const isServerFine = notStored === null && !provingFailed && !plansFailed && bucketOutage === null
  if (isServerFine && things === 0) return null
  return (
    <Panel flush title={text.attention.title}>
      <Stack component="ul" gap={0} py={4} className="plain-list">
        {failing.map((release) => (
          <FailingRelease key={keyOf(release)} {...release} />
        ))}
        <More count={moreFailing} />
        {notStored !== null && <NotStored {...notStored} />}
        {budgets.map((budget) => (
          <Item key={budget.name} Icon={IconGauge}>
            {budgetSentence(budget)} {text.attention.lastReached} <When at={budget.last} />
          </Item>
        ))}
        {webhooks.map(({ id, name, disabled }) => (
          <Item key={id} Icon={IconWebhook}>
            <TextLink to={paths.webhook(id)}>{text.attention.webhook(name)}</TextLink>
            {`: ${disabled ? text.attention.webhookDisabled : text.attention.webhookFailing}`}
          </Item>
        ))}
        {nodesNotServing > 0 && (
          <Item Icon={IconAlertTriangle}>
            <TextLink to={paths.settings}>
              {text.attention.nodesNotServing(nodesNotServing)}
            </TextLink>
            {`: ${text.attention.nodesNotServingHint}`}
          </Item>
        )}
        {provingFailed && <Item Icon={IconAlertTriangle}>{text.attention.provingFailed}</Item>}
        {plansFailed && <Item Icon={IconAlertTriangle}>{text.attention.plansFailed}</Item>}
        {bucketOutage !== null && (
          <Item Icon={IconAlertTriangle}>
            {text.attention.bucketOutage(bucketOutage.facts)} {text.attention.since}{' '}
            <When at={bucketOutage.since} />
          </Item>
        )}
        {artifacts.map(({ platform, arch, kind, failure, since, ...place }) => (
          <Item key={`${keyOf(place)}/${platform}/${arch}/${kind}`} Icon={IconFileAlert}>
            <ReleaseLink {...place} />
            {text.attention.artifact({ platform, arch, kind }, proofFailureSentence(failure))}{' '}
            <When at={since} />
          </Item>
        ))}
        <More count={moreArtifacts} />
        {suspended.map(({ state, ...release }) => (
          <Item key={`plan ${keyOf(release)}`} Icon={IconPlayerPause}>
            <ReleaseLink {...release} />
            {text.attention.planSuspended}{' '}
            {state.reason !== null && planReasonSentence(state.reason)} {text.attention.since}{' '}
            <When at={state.since} />
          </Item>
        ))}
        {withdrawn.map((release) => (
          <Withdrawn key={keyOf(release)} {...release} />
        ))}
        <More count={moreWithdrawn} />
        {silent.map(({ app, channel, devices }) => (
          <Item key={`${app}/${channel}`} Icon={IconZzz}>
            <TextLink to={paths.devices({ app, channel })}>
              {text.attention.channel(app, channel)}
            </TextLink>
            {`: ${text.attention.silent(devices)}`}
          </Item>
        ))}
        <More count={moreSilent} />
      </Stack>
    </Panel>
  )
})

function ReleaseLink(release: ReleasePlace) {
  const { app, channel, version } = release
  return (
    <TextLink to={paths.release(release)}>
      {text.attention.artifactOf(version, text.attention.channel(app, channel))}
    </TextLink>
  )
}

function Withdrawn({ devices, status, ...place }: Overview['attention']['withdrawn'][number]) {
  const { app, channel, version } = place
  return (
    <li className={classes.item}>
      <StatusBadge status={status} />
      <VersionLink release={place} className={classes.version} />
      <span className={classes.words}>
        <span title={text.attention.channel(app, channel)}>
          {text.attention.channel(app, channel)}
        </span>{' '}
        {text.attention.stillRuns}{' '}
        <DeviceCount named count={devices} of={{ app, channel, version, seen: '7d' }} />
      </span>
    </li>
  )
}

function NotStored({ failure, lost }: NonNullable<Props['telemetry']>) {
  const { notStored, someNotStored, stillAnswered, lost: lostSentence } = text.attention
  return (
    <Item Icon={IconAlertTriangle}>
      <Strong fw={600} span>
        {failure === null ? someNotStored : notStored}
      </Strong>
      {'. '}
      {failure !== null && `${storageProblemSentence(failure)} `}
      {lost > 0 && `${lostSentence(lost)} `}
      {stillAnswered}
    </Item>
  )
}

function Item({ Icon: Glyph, children }: { readonly Icon: Icon; readonly children: ReactNode }) {
  return (
    <li className={classes.item}>
      <Glyph size={16} className={classes.icon} aria-hidden="true" />
      <span className={classes.words}>{children}</span>
    </li>
  )
}

function More({ count }: { readonly count: number }) {
  if (count === 0) return null
  return (
    <li className={classes.item}>
      <Quiet span>{text.attention.more(count)}</Quiet>
    </li>
  )
}
