import { Button } from '@mantine/core'
import { memo } from 'react'
import { Link } from 'react-router'
import type { Overview } from '../../shared/console/overview.ts'
import { Panel } from '../components/panel.tsx'
import { paths } from '../paths.ts'
import { ChannelSummary } from './channel-summary.tsx'
import { text } from './strings.ts'

interface Props {
  readonly app: Overview['apps'][number]
}

/** One app: a row for each of its channels. */
export const AppPanel = memo(function AppPanel({ app }: Props) {
  return (
    <Panel
      flush
      title={app.name}
      actions={
        <Button
          component={Link}
          to={paths.app(app.ref)}
          variant="subtle"
          size="xs"
          aria-label={text.openAppLabel(app.name)}
        >
          {text.openApp}
        </Button>
      }
    >
      {app.channels.map((channel) => (
        <ChannelSummary key={channel.name} app={app} channel={channel} />
      ))}
    </Panel>
  )
})
