import { Group, Text } from '@mantine/core'
import {
  type Icon,
  IconCircleCheck,
  IconCircleX,
  IconLoader2,
  IconRefresh,
} from '@tabler/icons-react'
import type { ServerState } from '../../shared/console/shell.ts'
import { useServerState } from '../bridge/server-state.tsx'
import { CopyButton } from '../components/copy-button.tsx'

const LOOKS: Readonly<
  Record<
    ServerState['state'],
    { readonly word: string; readonly color: string; readonly Icon: Icon }
  >
> = {
  starting: { word: 'Server is starting', color: 'quiet', Icon: IconLoader2 },
  running: { word: 'Server is running', color: 'good', Icon: IconCircleCheck },
  restarting: { word: 'Server is restarting', color: 'warn', Icon: IconRefresh },
  failed: { word: 'Server is not running', color: 'bad', Icon: IconCircleX },
  stopped: { word: 'Server is stopped', color: 'quiet', Icon: IconCircleX },
}

/** How the server is, at the foot of the navigation, with its address while it runs. */
export function ServerLight() {
  const state = useServerState()
  const { word, color, Icon } = LOOKS[state.state]
  return (
    <section aria-label="State of the server" style={{ padding: '0 8px' }}>
      <Group gap={6} wrap="nowrap" c={`var(--tidegate-${color})`}>
        <Icon size={16} aria-hidden="true" />
        <Text size="xs" fw={500}>
          {word}
        </Text>
      </Group>
      <Group gap={4} wrap="nowrap" mih={24}>
        {state.state === 'running' && <Address address={state.address} />}
      </Group>
    </section>
  )
}

function Address({ address }: { readonly address: string }) {
  const { hostname, host, port } = new URL(address)
  // Listens everywhere: that is no address that anybody could be given. The overview lists them.
  const everywhere = hostname === '0.0.0.0' || hostname === '[::]'
  return (
    <>
      <Text size="xs" c="dimmed" truncate title={address}>
        {everywhere ? `Port ${port}, every address` : host}
      </Text>
      {!everywhere && <CopyButton text={address} what="the address of the server" />}
    </>
  )
}
