import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import type { MenuCommand } from '../../shared/console/shell.ts'
import { shellClient } from '../bridge/clients.ts'
import { paths } from '../paths.ts'

const TARGETS: Readonly<Record<MenuCommand, string>> = {
  overview: paths.overview,
  fleet: paths.fleet,
  releases: paths.releases,
  publish: paths.publish,
  devices: paths.devices(),
  apps: paths.apps,
  keys: paths.keys,
  audit: paths.audit,
  settings: paths.settings,
}

/** Goes where the application's menu and its shortcuts say. */
export function useMenuCommands(): void {
  const navigate = useNavigate()
  useEffect(() => {
    const subscription = shellClient.shell.menuCommands.subscribe(undefined, {
      onData: (command) => void navigate(TARGETS[command]),
    })
    return () => subscription.unsubscribe()
  }, [navigate])
}
