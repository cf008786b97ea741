import { Kbd } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { NavLink, useLocation } from 'react-router'
import { PendingBadge } from '../approvals/pending-badge.tsx'
import { isDesktop } from '../bridge/clients.ts'
import { modKey } from '../components/mod-key.ts'
import { palette } from '../palette/palette-store.ts'
import { paths } from '../paths.ts'
import { ServerSwitcher } from '../servers/switcher.tsx'
import { Mark } from './mark.tsx'
import classes from './navigation.module.css'
import { OwnMenu } from './own-menu.tsx'
import { ServerLight } from './server-light.tsx'
import { text } from './strings.ts'
import { usePlaces } from './use-places.ts'

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
