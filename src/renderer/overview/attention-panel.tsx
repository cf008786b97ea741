import { Text } from '@mantine/core'
import { type Icon, IconAlertTriangle, IconGauge, IconZzz } from '@tabler/icons-react'
import { memo, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { Overview } from '../../shared/console/overview.ts'
import { storageProblemSentence } from '../../shared/wording/storage-problem.ts'
import { Panel } from '../components/panel.tsx'
import { DeviceCount } from '../components/release/device-count.tsx'
import { StatusBadge } from '../components/release/status-badge.tsx'
import { VersionBadge } from '../components/release/version-badge.tsx'
import { When } from '../components/text/when.tsx'
import { paths } from '../paths.ts'
import classes from './attention.module.css'
import { budgetSentence, text } from './strings.ts'

type Props = Pick<Overview, 'attention' | 'telemetry' | 'budgets'>

/** What somebody should look at, in one list. Trouble of the server itself stands above every screen. */
export const AttentionPanel = memo(function AttentionPanel(props: Props) {
  const { attention, telemetry, budgets } = props
  const { withdrawn, silent, moreWithdrawn, moreSilent } = attention
  const isStored = telemetry === null || (telemetry.failure === null && telemetry.lost === 0)
  const notStored = isStored ? null : telemetry
  if (notStored === null && budgets.length + withdrawn.length + silent.length === 0) return null
  return (
    <Panel flush title={text.attention.title}>
      <ul className={classes.list}>
        {notStored !== null && <NotStored {...notStored} />}
        {budgets.map((budget) => (
          <Item key={budget.name} Icon={IconGauge}>
            {budgetSentence(budget)} {text.attention.lastReached} <When at={budget.last} />
          </Item>
        ))}
        {withdrawn.map((release) => (
          <Withdrawn key={`${release.app}/${release.channel}/${release.version}`} {...release} />
        ))}
        <More count={moreWithdrawn} />
        {silent.map(({ app, channel, devices }) => (
          <Item key={`${app}/${channel}`} Icon={IconZzz}>
            <Link className="link" to={paths.devices({ app, channel })}>
              {text.attention.channel(app, channel)}
            </Link>
            {`: ${text.attention.silent(devices)}`}
          </Item>
        ))}
        <More count={moreSilent} />
      </ul>
    </Panel>
  )
})

function Withdrawn({ devices, status, ...place }: Overview['attention']['withdrawn'][number]) {
  const { app, channel, version } = place
  return (
    <li className={classes.item}>
      <StatusBadge status={status} />
      <Link className={classes.version} to={paths.release(place)}>
        <VersionBadge app={app} version={version} />
      </Link>
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
      <Text span fw={600} size="sm">
        {failure === null ? someNotStored : notStored}
      </Text>
      {'. '}
      {failure !== null && `${storageProblemSentence(failure)} `}
      {lost > 0 && `${lostSentence(lost)} `}
      {stillAnswered}
    </Item>
  )
}

interface ItemProps {
  readonly Icon: Icon
  readonly children: ReactNode
}

function Item({ Icon: Glyph, children }: ItemProps) {
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
      <Text span size="sm" c="dimmed">
        {text.attention.more(count)}
      </Text>
    </li>
  )
}
