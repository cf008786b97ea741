import { Badge, Drawer, Kbd, Menu, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { Notifications } from '@mantine/notifications'
import { IconLogout, IconMenu2, IconSearch, IconUserCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import { formatCount } from '../../shared/wording/format.ts'
import { PLACE_NAMES } from '../../shared/wording/places.ts'
import { signOut } from '../bridge/browser/account-client.ts'
import { isDesktop, server } from '../bridge/clients.ts'
import { paths } from '../paths.ts'
import { text as approvals } from '../releases/approvals/strings.ts'
import { Mark } from './mark.tsx'
import classes from './navigation.module.css'
import { modKey, palette } from './palette/palette-store.ts'
import { type Place, usePlaces } from './places.ts'
import { ServerLight } from './server-light.tsx'
import { text } from './strings.ts'

/** Of the desktop app: a browser has the server that it came from. */
const ServerSwitcher = lazy(async () => ({
  default: (await import('../servers/switcher.tsx')).ServerSwitcher,
}))

/** As in the style sheets: the least width of the desktop app's window has room for the sidebar. */
const NARROW = '(max-width: 899px)'
/** Where a person looks who is away from a desk. */
const IN_BAR: readonly string[] = [
  paths.overview,
  paths.fleet,
  paths.releases,
  paths.approvals,
  paths.devices(),
]

/** The places of the console, notifications, and how the server is: beside the screen, or below it in a narrow window. */
export function Navigation() {
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false })
  return isNarrow ? <Bar /> : <Sidebar />
}

function Sidebar() {
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
        {isDesktop() && (
          <Suspense>
            <ServerSwitcher />
          </Suspense>
        )}
        <SearchButton onClick={palette.open} />
        {places.map((place) => (
          <PlaceLink key={place.to} place={place} />
        ))}
      </nav>
      <Toasts />
      {!isDesktop() && <OwnMenu />}
      <ServerLight />
    </div>
  )
}

/** Where most go, and a menu of everything else. */
function Bar() {
  const places = usePlaces()
  const { pathname } = useLocation()
  const [isOpen, { open, close }] = useDisclosure()
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was chosen in the menu is open
  useEffect(close, [pathname])
  const search = () => {
    close()
    palette.open()
  }
  return (
    <div className={classes.bar}>
      <Toasts />
      <nav aria-label={text.screens} className={classes.tabs}>
        {places
          .filter(({ to }) => IN_BAR.includes(to))
          .map((place) => (
            <PlaceLink key={place.to} place={place} />
          ))}
        <button type="button" className={classes.place} onClick={open} aria-expanded={isOpen}>
          <IconMenu2 size={18} stroke={1.75} aria-hidden="true" />
          {text.menu}
        </button>
      </nav>
      <Drawer
        opened={isOpen}
        onClose={close}
        position="bottom"
        size="auto"
        title={text.menu}
        closeButtonProps={{ 'aria-label': text.closeMenu }}
      >
        <div className={classes.menu}>
          {isDesktop() && (
            <Suspense>
              <ServerSwitcher />
            </Suspense>
          )}
          <SearchButton onClick={search} />
          {places
            .filter(({ to }) => !IN_BAR.includes(to))
            .map((place) => (
              <PlaceLink key={place.to} place={place} onClick={close} />
            ))}
          {!isDesktop() && <OwnMenu />}
          <ServerLight />
        </div>
      </Drawer>
    </div>
  )
}

interface PlaceLinkProps {
  readonly place: Place
  /** Also for the screen that is open already. */
  readonly onClick?: () => void
}

function PlaceLink({ place: { id, to, Icon }, onClick }: PlaceLinkProps) {
  const isWhole = to === paths.overview
  return (
    <NavLink to={to} end={isWhole} className={classes.place ?? ''} onClick={onClick}>
      <Icon size={18} stroke={1.75} aria-hidden="true" />
      {PLACE_NAMES[id]}
      {to === paths.approvals && <PendingBadge />}
    </NavLink>
  )
}

function SearchButton({ onClick }: { readonly onClick: () => void }) {
  return (
    <button type="button" className={classes.search} onClick={onClick}>
      <IconSearch size={16} aria-hidden="true" />
      <span>{text.search}</span>
      <Kbd size="xs" aria-hidden="true">
        {text.searchKeys(modKey)}
      </Kbd>
    </button>
  )
}

/** Within the layout, because over it they would cover buttons. */
function Toasts() {
  return (
    <div className={classes.toasts}>
      <Notifications
        withinPortal={false}
        limit={3}
        classNames={{ root: classes.toastList ?? '' }}
      />
    </div>
  )
}

/** Who is signed in, and what they can do about it. */
function OwnMenu() {
  const { data } = useQuery(server.session.me.queryOptions())
  if (data === undefined) return null
  return (
    <Menu position="top-start" width="target" withinPortal>
      <Menu.Target>
        <UnstyledButton className={classes.own} title={data.name}>
          <IconUserCircle size={18} stroke={1.75} aria-hidden="true" />
          <span className="cut">{data.name}</span>
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

/** How many change requests wait for this person; nothing for none. */
function PendingBadge() {
  const { data = 0 } = useQuery(server.changeRequests.pending.queryOptions())
  if (data === 0) return null
  return (
    <Badge size="sm" variant="filled" circle ml="auto">
      <span aria-hidden="true">{formatCount(data)}</span>
      <VisuallyHidden>{approvals.pending(data)}</VisuallyHidden>
    </Badge>
  )
}
