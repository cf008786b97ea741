import { Button } from '@mantine/core'
import { IconDevicesOff, IconFilterOff } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { AppDetail } from '../../../shared/console/apps.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { paths } from '../../paths.ts'

/** Nothing can be listed, because there is no app. */
export function NoApps() {
  return (
    <EmptyState
      icon={IconDevicesOff}
      title="No apps yet"
      action={
        <Button component={Link} to={paths.apps}>
          Open apps and channels
        </Button>
      }
    >
      Devices belong to an app. Create one, connect it, and every device that asks for an update is
      listed here.
    </EmptyState>
  )
}

/** No device of the app has ever asked. */
export function NoDevices({ app }: { readonly app: AppDetail }) {
  return (
    <EmptyState
      icon={IconDevicesOff}
      title={`No device of ${app.name} has asked yet`}
      action={
        <Button component={Link} to={paths.app(app.ref)}>
          Connect {app.name}
        </Button>
      }
    >
      Put the update address into the app and send a device id with every check. Each device is
      listed from its first check on.
    </EmptyState>
  )
}

/** Every device is filtered out. */
export function NoMatch({ onReset }: { readonly onReset: () => void }) {
  return (
    <EmptyState
      icon={IconFilterOff}
      title="No device matches"
      action={
        <Button variant="default" onClick={onReset}>
          Clear the filters
        </Button>
      }
    >
      A search finds the beginning of a device id, or a label written as key=value. Change a filter,
      or take all of them away.
    </EmptyState>
  )
}
