import {
  type Icon,
  IconApps,
  IconChartAreaLine,
  IconDevices,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconSettings,
  IconTag,
} from '@tabler/icons-react'
import { NavLink } from 'react-router'
import { paths } from '../paths.ts'
import { Mark } from './mark.tsx'
import classes from './navigation.module.css'
import { ServerLight } from './server-light.tsx'

interface Place {
  readonly name: string
  readonly to: string
  readonly Icon: Icon
}

const PLACES: readonly Place[] = [
  { name: 'Overview', to: paths.overview, Icon: IconLayoutDashboard },
  { name: 'Fleet', to: paths.fleet, Icon: IconChartAreaLine },
  { name: 'Releases', to: paths.releases, Icon: IconTag },
  { name: 'Devices', to: paths.devices(), Icon: IconDevices },
  { name: 'Apps and channels', to: paths.apps, Icon: IconApps },
  { name: 'API keys', to: paths.keys, Icon: IconKey },
  { name: 'Audit log', to: paths.audit, Icon: IconHistory },
  { name: 'Settings', to: paths.settings, Icon: IconSettings },
]

/** The places of the console, and how its server is. */
export function Navigation() {
  return (
    <div className={classes.root}>
      <nav aria-label="Screens" className={classes.places}>
        <div className={classes.brand}>
          <Mark />
          Tidegate
        </div>
        {PLACES.map(({ name, to, Icon }) => (
          <NavLink key={to} to={to} end={to === paths.overview} className={classes.place ?? ''}>
            <Icon size={18} stroke={1.75} aria-hidden="true" />
            {name}
          </NavLink>
        ))}
      </nav>
      <ServerLight />
    </div>
  )
}
