import { Group, Kbd, Menu, Text, UnstyledButton } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import {
  type Icon,
  IconCertificateOff,
  IconCircleCheck,
  IconCircleX,
  IconLoader2,
  IconLogout,
  IconRefresh,
  IconSearch,
  IconUserCircle,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import type { ServerReach } from '../../shared/console/shell.ts'
import { PendingBadge } from '../approvals/pending-badge.tsx'
import { signOut } from '../bridge/browser/sign-out.ts'
import { isDesktop, server } from '../bridge/clients.ts'
import { useServerState } from '../bridge/server-state.tsx'
import { modKey } from '../components/mod-key.ts'
import { CopyButton } from '../components/text/copy-button.tsx'
import { palette } from '../palette/palette-store.ts'
import { paths } from '../paths.ts'
import { ServerSwitcher } from '../servers/switcher.tsx'
import { Mark } from './mark.tsx'
import classes from './navigation.module.css'
import { usePlaces } from './places.ts'
import { SERVER_STATES, text } from './strings.ts'

/** The places of the console, notifications, and how the server is. */
export function Navigation() {
  const places = usePlaces()
  const list = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // In a low window the places scroll.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another screen is another current place
  useEffect(() => {
    list.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' })
  }, [pathname])
  return (
    <div className={classes.root}>
      <nav ref={list} aria-label={text.screens} className={classes.places}>
        <div className={classes.brand}>
          <Mark />
          {text.product}
        </div>
        <ServerSwitcher />
        <button type="button" className={classes.search} onClick={palette.open}>
          <IconSearch size={16} aria-hidden="true" />
          <span>{text.search}</span>
          <Kbd size="xs" aria-hidden="true">
            {text.searchKeys(modKey)}
          </Kbd>
        </button>
        {places.map(({ name, to, Icon }) => (
          <NavLink key={to} to={to} end={to === paths.overview} className={classes.place ?? ''}>
            <Icon size={18} stroke={1.75} aria-hidden="true" />
            {name}
            {to === paths.approvals && <PendingBadge />}
          </NavLink>
        ))}
      </nav>
      {/* Within the layout, because over it they would cover buttons. */}
      <div className={classes.toasts}>
        <Notifications
          withinPortal={false}
          limit={3}
          classNames={{ root: classes.toastList ?? '' }}
        />
      </div>
      {!isDesktop() && <OwnMenu />}
      <ServerLight />
    </div>
  )
}

/** Who is signed in, at the foot of the navigation, and what they can do about it. */
function OwnMenu() {
  const { data } = useQuery(server.session.me.queryOptions())
  if (data === undefined) return null
  return (
    <Menu position="top-start" width="target" withinPortal>
      <Menu.Target>
        <UnstyledButton className={classes.own} title={data.name}>
          <IconUserCircle size={18} stroke={1.75} aria-hidden="true" />
          <span>{data.name}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown aria-label={text.ownAccount}>
        <Menu.Item
          component={Link}
          to={paths.account}
          leftSection={<IconUserCircle size={16} aria-hidden="true" />}
        >
          {text.myAccount}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLogout size={16} aria-hidden="true" />}
          onClick={() => void signOut(text.signOutFailed)}
        >
          {text.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

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

/** How the server is, at the foot of the navigation, with its address while it runs. */
function ServerLight() {
  const state = useServerState()
  const { color, Icon } = LOOKS[state.state]
  return (
    <section aria-label={text.serverStatus} style={{ padding: '0 8px' }}>
      <Group gap={6} wrap="nowrap" c={`var(--tidegate-${color})`}>
        <Icon size={16} aria-hidden="true" />
        <Text size="xs" fw={500}>
          {wordsOf(state)}
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
      <Text size="xs" c="dimmed" truncate title={address}>
        {everywhere ? text.allInterfaces(port) : host}
      </Text>
      {!everywhere && <CopyButton text={address} what={text.copyAddress} />}
    </>
  )
}
