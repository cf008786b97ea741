import { Group, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { AppDetail } from '../../../shared/console/apps.ts'
import type { DeviceListPage } from '../../../shared/console/devices.ts'
import { server } from '../../bridge/clients.ts'
import { consoleErrorOf } from '../../bridge/error.ts'
import { Loaded } from '../../components/loading/loaded.tsx'
import { Loading } from '../../components/loading/loading.tsx'
import { text } from '../strings.ts'
import classes from './devices.module.css'
import { DevicesTable } from './devices-table.tsx'
import { FilterBar } from './filter-bar.tsx'
import { type Filters, isNarrowed, listInput, withoutFilters } from './filters.ts'
import { Moment } from './moment.tsx'
import { NoDevices, NoMatch, PageGone } from './no-devices.tsx'
import { PageControls } from './page-controls.tsx'

interface Props {
  readonly app: AppDetail
  readonly apps: readonly AppDetail[]
  readonly filters: Filters
  readonly onChange: (parts: Partial<Filters>) => void
}

/** The list of one app's devices. It stays as of a moment until somebody asks for a newer one. */
export function DeviceListPart({ app, apps, filters, onChange }: Props) {
  const list = useQuery({
    ...server.devices.list.queryOptions(listInput(app.ref, filters)),
    placeholderData: keepPreviousData,
    meta: { asOfMoment: true },
  })
  const { data, isPlaceholderData, isStale } = list
  const showFirst = () => onChange({ cursor: '', direction: 'next' })
  const isGone =
    list.error !== null && consoleErrorOf(list.error).refusal?.code === 'foreign_cursor'
  return (
    <>
      <FilterBar filters={filters} apps={apps} choices={data?.choices} onChange={onChange} />
      {isGone ? (
        <PageGone onFirst={showFirst} />
      ) : (
        <Loaded query={list} loading={<Loading rows={12} />}>
          {(page) => (
            <>
              {page.known > 0 && (
                <Group justify="space-between" mb="xs" mih={32}>
                  <Text size="sm" role="status">
                    {text.count(page, isNarrowed(filters))}
                  </Text>
                  <Moment
                    asOf={page.asOf}
                    outdated={isStale && !isPlaceholderData}
                    onRefresh={() => void list.refetch()}
                  />
                </Group>
              )}
              {page.devices.length > 0 && (
                <div
                  className={classes.list}
                  data-waiting={isPlaceholderData}
                  aria-busy={isPlaceholderData}
                >
                  <DevicesTable
                    app={app.ref}
                    devices={page.devices}
                    sort={filters.sort}
                    order={filters.order}
                    onSort={(sort, order) =>
                      onChange({ sort, order, cursor: '', direction: 'next' })
                    }
                  />
                  <Pages page={page} onChange={onChange} />
                </div>
              )}
              {page.known === 0 && <NoDevices app={app} />}
              {page.known > 0 && page.total === 0 && (
                <NoMatch onReset={() => onChange(withoutFilters(filters))} />
              )}
            </>
          )}
        </Loaded>
      )}
    </>
  )
}

interface PagesProps {
  readonly page: DeviceListPage
  readonly onChange: (parts: Partial<Filters>) => void
}

function Pages({ page, onChange }: PagesProps) {
  const { devices, previous, next, offset, total } = page
  const go = (cursor: string, direction: Filters['direction']) => () => {
    document.getElementById('content')?.scrollTo({ top: 0 })
    onChange({ cursor, direction })
  }
  return (
    <Group justify="space-between" mt="md">
      <Text size="sm" c="dimmed" className="numbers">
        {offset !== null && text.range(offset + 1, offset + devices.length, total)}
      </Text>
      <PageControls
        onFirst={previous === null ? undefined : go('', 'next')}
        onPrevious={previous === null ? undefined : go(previous, 'previous')}
        onNext={next === null ? undefined : go(next, 'next')}
      />
    </Group>
  )
}
