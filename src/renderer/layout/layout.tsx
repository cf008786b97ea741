import { useEffect, useRef } from 'react'
import { Outlet, useNavigate } from 'react-router'
import type { MenuCommand } from '../../shared/console/shell.ts'
import { shellClient } from '../bridge/clients.ts'
import { Palette } from '../palette/palette.tsx'
import { openPalette } from '../palette/palette-store.ts'
import { paths } from '../paths.ts'
import { InUseBar } from '../servers/switcher.tsx'
import classes from './layout.module.css'
import { Navigation } from './navigation.tsx'
import { ServerBanner } from './server-banner.tsx'
import { ServerNotices } from './server-notices.tsx'
import { text } from './strings.ts'
import { useScrollMemory } from './use-scroll-memory.ts'

/** The frame around every screen: where one can go, how the server is, and the screen. */
export function Layout() {
  const main = useRef<HTMLElement>(null)
  useMenuCommands()
  useScrollMemory(main)
  return (
    <div className={classes.window}>
      <button
        type="button"
        className="skip"
        onClick={() => document.getElementById('content')?.focus()}
      >
        {text.skip}
      </button>
      <InUseBar />
      <div className={classes.frame}>
        <Navigation />
        <Palette />
        <div className={classes.side}>
          <div className={classes.banner}>
            <ServerBanner />
          </div>
          <main ref={main} id="content" tabIndex={-1} className={classes.main}>
            <div className={classes.width}>
              <ServerNotices />
              <Outlet />
            </div>
          </main>
        </div>
      </div>
    </div>
  )
}

const TARGETS: Readonly<Record<Exclude<MenuCommand, 'palette'>, string>> = {
  overview: paths.overview,
  fleet: paths.fleet,
  releases: paths.releases,
  publish: paths.publish,
  approvals: paths.approvals,
  devices: paths.devices(),
  apps: paths.apps,
  keys: paths.keys,
  people: paths.people,
  webhooks: paths.webhooks,
  audit: paths.audit,
  settings: paths.settings,
}

/** Opens the screen or the palette that is chosen in the application's menu. */
function useMenuCommands(): void {
  const navigate = useNavigate()
  useEffect(() => {
    const subscription = shellClient.shell.menuCommands.subscribe(undefined, {
      onData: (command) => {
        if (command === 'palette') openPalette()
        else void navigate(TARGETS[command])
      },
    })
    return () => subscription.unsubscribe()
  }, [navigate])
}
