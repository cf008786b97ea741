import { Group, Text } from '@mantine/core'
import { IconDevicesOff, IconRefresh } from '@tabler/icons-react'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { AppDetail } from '../../../shared/console/apps.ts'
import type { DeviceListPage } from '../../../shared/console/devices.ts'
import { server } from '../../bridge/clients.ts'
import { consoleErrorOf } from '../../bridge/error.ts'
import { PlainButton } from '../../components/blocks.tsx'
import {
  AppNotFound,
  ArchivedNotice,
  ChannelNotFound,
  EmptyState,
  NoResults,
  PageGone,
} from '../../components/loading/empty-state.tsx'

import { Loaded, Loading } from '../../components/loading/loading.tsx'
import { formatTime } from '../../components/text/time.ts'
import { Quiet } from '../../components/text/words.tsx'
import { paths } from '../../paths.ts'
import { text } from '../strings.ts'
import classes from './devices.module.css'
import { DevicesTable } from './devices-table.tsx'
import { FilterBar } from './filter-bar.tsx'
import { type Filters, isNarrowed, listInput, withoutFilters } from './filters.ts'
import { PageControls } from './page-controls.tsx'

interface Props {
  readonly apps: readonly AppDetail[]
  readonly filters: Filters
  readonly onChange: (parts: Partial<Filters>) => void
}

/**
 * The devices of one app, and what they are narrowed to. The fields stay the same while another app is chosen, so
 * that they keep the focus.
 */
export function DeviceListPart({ apps, filters, onChange }: Props) {
  const { app: ref, channel } = filters
  const app = apps.find((one) => one.ref === ref)
  const isKnown = channel === '' || app?.channels.some(({ name }) => name === channel) === true
  const list = useQuery({
    ...server.devices.list.queryOptions(listInput(ref, filters)),
    placeholderData: (known, query) => {
      return isOfApp(query?.queryKey[1]?.input, ref) ? known : undefined
    },
    // The list stays as of a moment until somebody asks for a newer one.
    meta: { asOfMoment: true },
    enabled: app !== undefined && isKnown,
  })
  return (
    <>
      {app !== undefined && <ArchivedNotice app={app} />}
      <FilterBar filters={filters} apps={apps} choices={list.data?.choices} onChange={onChange} />
      {app === undefined ? (
        <AppNotFound app={ref} />
      ) : isKnown ? (
        <FoundDevices app={app} list={list} filters={filters} onChange={onChange} />
      ) : (
        <ChannelNotFound
          app={ref}
          channel={channel}
          onShowAll={() => onChange({ channel: '', cursor: '', direction: 'next' })}
        />
      )}
    </>
  )
}

function isOfApp(input: unknown, ref: string): boolean {
  return typeof input === 'object' && input !== null && 'app' in input && input.app === ref
}

interface FoundProps extends Omit<Props, 'apps'> {
  readonly app: AppDetail
  readonly list: UseQueryResult<DeviceListPage, unknown>
}

function FoundDevices({ app, list, filters, onChange }: FoundProps) {
  const { isPlaceholderData, isStale } = list
  const showFirst = () => onChange({ cursor: '', direction: 'next' })
  const isGone =
    list.error !== null && consoleErrorOf(list.error).refusal?.code === 'foreign_cursor'
  if (isGone) return <PageGone onFirst={showFirst} />
  return (
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
                onSort={(sort, order) => onChange({ sort, order, cursor: '', direction: 'next' })}
              />
              <Pages page={page} onChange={onChange} />
            </div>
          )}
          {page.known === 0 && (
            <EmptyState
              icon={IconDevicesOff}
              title={text.noDevicesTitle(app.name)}
              link={{ to: paths.app(app.ref), name: text.connect(app.name) }}
              hint={text.noDevices}
            />
          )}
          {page.known > 0 && page.total === 0 && (
            <NoResults hint={text.noMatch} onClear={() => onChange(withoutFilters(filters))} />
          )}
        </>
      )}
    </Loaded>
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
      <Quiet className="numbers">
        {offset !== null && text.range(offset + 1, offset + devices.length, total)}
      </Quiet>
      <PageControls
        onFirst={previous === null ? undefined : go('', 'next')}
        onPrevious={previous === null ? undefined : go(previous, 'previous')}
        onNext={next === null ? undefined : go(next, 'next')}
      />
    </Group>
  )
}

interface MomentProps {
  /** When the list was made. */
  readonly asOf: string
  /** Whether something changed since. */
  readonly outdated: boolean
  readonly onRefresh: () => void
}

/** Says as of when a list is that does not change by itself, and brings it up to date. */
function Moment({ asOf, outdated, onRefresh }: MomentProps) {
  return (
    <Group gap="xs">
      <Group gap="xs" className={classes.newer} data-shown={outdated}>
        <Quiet>{text.newCheckIns}</Quiet>
        <PlainButton variant="subtle" size="compact-sm" icon={IconRefresh} onClick={onRefresh}>
          {text.refresh}
        </PlainButton>
      </Group>
      <Quiet>
        {text.asOf} <time dateTime={asOf}>{formatTime(asOf, 'time')}</time>
      </Quiet>
    </Group>
  )
}
