import { Button } from '@mantine/core'
import { Link } from 'react-router'
import type { Overview } from '../../shared/console/overview.ts'
import { Panel } from '../components/panel.tsx'
import { paths } from '../paths.ts'
import { ChannelSummary } from './channel-summary.tsx'

/** One app: a row for each of its channels. */
export function AppPanel({ app }: { readonly app: Overview['apps'][number] }) {
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
          aria-label={`Open ${app.name}`}
        >
          Open
        </Button>
      }
    >
      {app.channels.map((channel) => (
        <ChannelSummary key={channel.name} app={app} channel={channel} />
      ))}
    </Panel>
  )
}
