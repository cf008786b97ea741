import { Group, NativeSelect } from '@mantine/core'
import { IconFilePencil, IconPackage } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AppName } from '../../../shared/console/apps.ts'
import { ReleaseStatus } from '../../../shared/releases/release.ts'
import { useAccess } from '../../bridge/access.ts'
import { server } from '../../bridge/clients.ts'
import { LinkButton } from '../../components/blocks.tsx'
import { useAddressFilters } from '../../components/list/address-filters.ts'
import { Pages } from '../../components/list/data-table.tsx'
import { SearchField } from '../../components/list/search-field.tsx'
import {
  appChoices,
  nameChoices,
  SearchableSelect,
} from '../../components/list/searchable-select.tsx'

import { EmptyState, NoResults, PageGone } from '../../components/loading/empty-state.tsx'
import { Loaded, Loading } from '../../components/loading/loading.tsx'
import { PageHeader, PublishButton } from '../../components/page-header.tsx'
import { paths } from '../../paths.ts'
import {
  type Filters,
  isNarrowed,
  listInput,
  NO_FILTERS,
  readFilters,
  writeFilters,
} from './filters.ts'
import { ReleasesTable } from './releases-table.tsx'
import { STATUS_CHOICES, text } from './strings.ts'

/** Every release of every app, newest first, narrowed by what the address of the screen says. */
export function Component() {
  const [filters, setFilters] = useAddressFilters(readFilters, writeFilters)
  const apps = useQuery(server.apps.names.queryOptions())
  const list = useQuery({
    ...server.releases.list.queryOptions(listInput(filters)),
    // What was shown stays while other filters are asked for.
    placeholderData: keepPreviousData,
  })
  const change = (parts: Partial<Filters>) => setFilters({ page: 1, ...parts })
  const reset = () => setFilters(NO_FILTERS)
  // What is shown may still be the answer to filters that were just taken away.
  const narrowed = isNarrowed(filters) || list.isPlaceholderData
  // A list that was empty when it was last seen is not said to be empty before it was asked for again.
  const [stale] = useState(list.isStale)
  const outdated = stale && list.isStale && !list.isFetchedAfterMount
  const empty = list.data?.total === 0 && !narrowed
  return (
    <>
      <PageHeader
        title={text.title}
        actions={
          <>
            <DraftsButton />
            {!empty && <PublishButton />}
          </>
        }
      />
      {!empty && <FilterBar filters={filters} apps={apps.data ?? []} onChange={change} />}
      <Loaded query={list}>
        {({ releases, page, pageCount, total }) =>
          total === 0 && outdated ? (
            <Loading />
          ) : total === 0 ? (
            <NoReleases narrowed={narrowed} onReset={reset} />
          ) : releases.length === 0 ? (
            <PageGone onFirst={() => change({ page: 1 })} />
          ) : (
            <>
              <ReleasesTable releases={releases} total={total} />
              <Pages
                page={page}
                pageCount={pageCount}
                onChange={(next) => change({ page: next })}
              />
            </>
          )
        }
      </Loaded>
    </>
  )
}

/** Leads to the drafts, and says how many there are. */
function DraftsButton() {
  const drafts = useQuery(server.drafts.list.queryOptions({ page: 1, perPage: 1 }))
  return (
    <LinkButton to={paths.drafts} icon={IconFilePencil}>
      {text.drafts(drafts.data?.total ?? 0)}
    </LinkButton>
  )
}

interface NoReleasesProps {
  readonly narrowed: boolean
  readonly onReset: () => void
}

function NoReleases({ narrowed, onReset }: NoReleasesProps) {
  const mayPublish = useAccess().mayInSomeApp('release_manager')
  if (narrowed) return <NoResults hint={text.noResultsHint} onClear={onReset} />
  return (
    <EmptyState
      icon={IconPackage}
      title={text.none}
      action={mayPublish ? <PublishButton /> : undefined}
      hint={mayPublish ? text.noneHint : text.noneForViewers}
    />
  )
}

interface Props {
  readonly filters: Filters
  readonly apps: readonly AppName[]
  readonly onChange: (parts: Partial<Filters>) => void
}

/** What the list is narrowed to; each field says what it changes. */
function FilterBar({ filters, apps, onChange }: Props) {
  const chosen = apps.filter(({ ref }) => filters.app === '' || ref === filters.app)
  const channels = new Set(chosen.flatMap((app) => app.channels))
  return (
    <Group component="search" className="filters" gap="xs" mb="md" align="end">
      <SearchableSelect
        w={208}
        label={text.app}
        value={filters.app}
        choices={[{ value: '', label: text.allApps }, ...appChoices(apps)]}
        onChange={(app) => onChange({ app, channel: '' })}
      />
      <SearchableSelect
        w={168}
        label={text.channel}
        value={filters.channel}
        choices={[{ value: '', label: text.allChannels }, ...nameChoices(channels)]}
        onChange={(channel) => onChange({ channel })}
      />
      <NativeSelect
        label={text.status}
        value={filters.status}
        data={[...STATUS_CHOICES]}
        onChange={({ currentTarget }) => {
          const status = ReleaseStatus.safeParse(currentTarget.value)
          onChange({ status: status.success ? status.data : '' })
        }}
      />
      <SearchField
        value={filters.search}
        placeholder={text.searchHint}
        onChange={(search) => onChange({ search })}
      />
    </Group>
  )
}
