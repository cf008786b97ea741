import { useQuery } from '@tanstack/react-query'
import type { AppDetail } from '../../../shared/console/apps.ts'
import { server, serverClient } from '../../bridge/clients.ts'
import {
  type Export,
  ExportButton,
  ExportFailure,
  useExport,
} from '../../components/change/export-button.tsx'
import { useAddressFilters } from '../../components/list/address-filters.ts'
import { NoApps } from '../../components/loading/empty-state.tsx'
import { Loaded, Loading } from '../../components/loading/loading.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { text } from '../strings.ts'
import { DeviceListPart } from './device-list-part.tsx'
import { type Filters, filterInput, readFilters, writeFilters } from './filters.ts'
import { SavedFilters } from './saved-filters.tsx'

/** Every device of an app, narrowed and sorted by what the address of the screen says. */
export function Component() {
  const [filters, change] = useAddressFilters(readFilters, writeFilters)
  const apps = useQuery(server.apps.list.queryOptions())
  const exporting = useExport()
  const shown = apps.data?.find(({ ref }) => ref === (filters.app || mostDevices(apps.data)?.ref))
  const exportable = shown && shown.devices > 0 ? exportOf(shown.ref, filters) : undefined
  return (
    <>
      <PageHeader
        title={text.title}
        actions={
          <>
            <SavedFilters filters={filters} onApply={change} />
            {exportable && <ExportButton exporting={exporting} what={exportable} />}
          </>
        }
      />
      <ExportFailure exporting={exporting} what={exportable} title={text.notExported} />
      <Loaded query={apps} loading={<Loading rows={10} />}>
        {(list) => {
          const ref = filters.app || mostDevices(list)?.ref
          if (ref === undefined) return <NoApps hint={text.noApps} />
          // The address then means the same app when others come and go.
          const onChange = (parts: Partial<Filters>) => change({ app: ref, ...parts })
          return (
            <DeviceListPart apps={list} filters={{ ...filters, app: ref }} onChange={onChange} />
          )
        }}
      </Loaded>
    </>
  )
}

function exportOf(app: string, filters: Filters): Export {
  return {
    name: 'tidegate-devices',
    done: text.exported,
    subscribe: (listener) =>
      serverClient.devices.export.subscribe(filterInput(app, filters), listener),
  }
}

function mostDevices(apps: readonly AppDetail[]): AppDetail | undefined {
  return apps.toSorted((a, b) => b.devices - a.devices)[0]
}
