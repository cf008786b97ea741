import { useRef } from 'react'
import { Outlet } from 'react-router'
import { Palette } from '../palette/palette.tsx'
import classes from './layout.module.css'
import { useMenuCommands } from './menu-commands.ts'
import { Navigation } from './navigation.tsx'
import { ServerBanner } from './server-banner.tsx'
import { ServerNotices } from './server-notices.tsx'
import { useScrollMemory } from './use-scroll-memory.ts'

/** The frame around every screen: where one can go, how the server is, and the screen. */
export function Layout() {
  const main = useRef<HTMLElement>(null)
  useMenuCommands()
  useScrollMemory(main)
  return (
    <div className={classes.frame}>
      <button
        type="button"
        className="skip"
        onClick={() => document.getElementById('content')?.focus()}
      >
        Skip to the content
      </button>
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
  )
}
