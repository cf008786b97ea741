import { useQuery } from '@tanstack/react-query'
import type { AppDetail } from '../../../shared/console/apps.ts'
import { server } from '../../bridge/clients.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Loading } from '../../components/loading.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { useAddressFilters } from '../../components/use-address-filters.ts'
import { DeviceListPart } from './device-list-part.tsx'
import { readFilters, writeFilters } from './filters.ts'
import { NoApps } from './no-devices.tsx'

/** Every device of an app, narrowed and sorted by what the address of the screen says. */
export function DevicesScreen() {
  const [filters, change] = useAddressFilters(readFilters, writeFilters)
  const apps = useQuery(server.apps.list.queryOptions())
  return (
    <>
      <PageHeader title="Devices" />
      <Loaded query={apps} loading={<Loading rows={10} />}>
        {(list) => {
          const app = chosenApp(list, filters.app)
          if (app === undefined) return <NoApps />
          return (
            <DeviceListPart
              key={app.ref}
              app={app}
              apps={list}
              filters={filters}
              onChange={change}
            />
          )
        }}
      </Loaded>
    </>
  )
}

/** The app that the address names; else the one with the most devices. */
function chosenApp(apps: readonly AppDetail[], ref: string): AppDetail | undefined {
  const named = apps.find((app) => app.ref === ref)
  return named ?? [...apps].sort((a, b) => b.devices - a.devices)[0]
}
