import { Group, Text } from '@mantine/core'
import {
  type Icon,
  IconCertificateOff,
  IconCircleCheck,
  IconCircleX,
  IconLoader2,
  IconLogout,
  IconRefresh,
  IconRefreshAlert,
} from '@tabler/icons-react'
import type { ServerReach } from '../../shared/console/desktop/shell.ts'
import { useIsOld } from '../bridge/query-client.ts'
import { useServerState } from '../bridge/server-state.tsx'
import { CopyButton } from '../components/text/copy-button.tsx'
import { Small } from '../components/text/words.tsx'
import { SERVER_STATES, text } from './strings.ts'

const LOOKS: Readonly<
  Record<ServerReach['state'], { readonly color: string; readonly Icon: Icon }>
> = {
  starting: { color: 'quiet', Icon: IconLoader2 },
  running: { color: 'good', Icon: IconCircleCheck },
  restarting: { color: 'warn', Icon: IconRefresh },
  failed: { color: 'bad', Icon: IconCircleX },
  stopped: { color: 'quiet', Icon: IconCircleX },
  unreachable: { color: 'warn', Icon: IconRefresh },
  signed_out: { color: 'warn', Icon: IconLogout },
  certificate_refused: { color: 'bad', Icon: IconCertificateOff },
}

/** While it runs, and calls to it fail. */
const OLD = { color: 'warn', Icon: IconRefreshAlert }

/** How the server is, with its address while it runs. */
export function ServerLight() {
  const state = useServerState()
  const isOld = useIsOld() && state.state === 'running'
  const { color, Icon } = isOld ? OLD : LOOKS[state.state]
  return (
    <section aria-label={text.serverStatus} style={{ padding: '0 8px' }}>
      <Group gap={6} wrap="nowrap" c={`var(--tidegate-${color})`}>
        <Icon size={16} aria-hidden="true" />
        <Text size="xs" fw={500}>
          {isOld ? text.notRefreshed : wordsOf(state)}
        </Text>
      </Group>
      <Group gap={4} wrap="nowrap" mih={24}>
        {state.state === 'running' && <Address address={state.address} />}
      </Group>
    </section>
  )
}

function wordsOf(state: ServerReach): string {
  const isOut = state.state === 'unreachable' && state.outOfContact === true
  return isOut ? text.outOfContact : SERVER_STATES[state.state]
}

function Address({ address }: { readonly address: string }) {
  const { hostname, host, port } = new URL(address)
  // Listens everywhere: that is no address that anybody could be given. The overview lists them.
  const everywhere = hostname === '0.0.0.0' || hostname === '[::]'
  return (
    <>
      <Small truncate title={address}>
        {everywhere ? text.allInterfaces(port) : host}
      </Small>
      {!everywhere && <CopyButton text={address} what={text.copyAddress} />}
    </>
  )
}
