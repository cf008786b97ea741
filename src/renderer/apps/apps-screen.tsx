import { Box, Table } from '@mantine/core'
import { IconApps } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { memo, type Ref, useMemo } from 'react'
import { Link } from 'react-router'
import type { AppDetail } from '../../shared/console/apps.ts'
import { formatCount } from '../../shared/wording/format.ts'
import { useAccess } from '../bridge/access.ts'
import { server } from '../bridge/clients.ts'
import { Panel } from '../components/blocks.tsx'
import { readText, useAddressFilters } from '../components/list/address-filters.ts'
import { ListScreen } from '../components/list/list-screen.tsx'
import { SearchField } from '../components/list/search-field.tsx'
import { useVirtualList } from '../components/list/use-virtual-list.ts'
import { NoResults } from '../components/loading/empty-state.tsx'
import { StatusBadge } from '../components/release/status-badge.tsx'
import { Small, When } from '../components/text/words.tsx'
import { paths } from '../paths.ts'
import classes from './apps.module.css'
import { CreateAppDialog } from './create-app-dialog.tsx'
import { findApps } from './find-apps.ts'
import { text } from './strings.ts'

/** The apps that this server knows. */
export function Component() {
  const apps = useQuery(server.apps.list.queryOptions())
  const mayCreate = useAccess().may('administrator')
  return (
    <ListScreen
      title={text.title}
      description={text.description}
      query={apps}
      create={mayCreate ? text.create : undefined}
      dialog={CreateAppDialog}
      empty={{
        icon: IconApps,
        title: text.empty,
        hint: mayCreate ? text.emptyHint : text.noneVisible,
      }}
    >
      {(list) => <AppTable apps={list} />}
    </ListScreen>
  )
}

/** More apps than this can be searched. */
const SEARCHABLE = 5

const COLUMNS = 5

const readFilters = (params: URLSearchParams) => ({ search: readText(params, 'search', 200) })
const writeFilters = ({ search }: { readonly search: string }) =>
  new URLSearchParams(search === '' ? {} : { search })

/** The apps in rows. A long list can be searched, and draws only the rows that can be seen. */
function AppTable({ apps }: { readonly apps: readonly AppDetail[] }) {
  const [{ search }, change] = useAddressFilters(readFilters, writeFilters)
  const shown = useMemo(() => findApps(apps, search), [apps, search])
  const { list, indexes, before, after, measure } = useVirtualList<HTMLTableSectionElement>({
    count: shown.length,
    estimate: 57,
    keyOf: (index) => shown[index]?.ref ?? '',
  })
  return (
    <>
      {(apps.length > SEARCHABLE || search !== '') && (
        <Box component="search" display="block" maw={360} mb="md">
          <SearchField
            value={search}
            placeholder={text.searchApps}
            onChange={(typed) => change({ search: typed })}
          />
        </Box>
      )}
      <Panel flush title={<span role="status">{text.appCount(shown.length, apps.length)}</span>}>
        {shown.length === 0 && (
          <NoResults hint={text.noResultsHint} onClear={() => change({ search: '' })} />
        )}
        <Table aria-label={text.apps} aria-rowcount={shown.length + 1} className={classes.apps}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{text.columns.app}</Table.Th>
              <Table.Th>{text.columns.channels}</Table.Th>
              <Table.Th ta="end">{text.columns.devices}</Table.Th>
              <Table.Th>{text.columns.created}</Table.Th>
              <Table.Th>{text.columns.status}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody ref={list}>
            <Gap height={before} />
            {indexes.map((index) => {
              const app = shown[index]
              return (
                app !== undefined && <AppRow key={app.ref} ref={measure} index={index} app={app} />
              )
            })}
            <Gap height={after} />
          </Table.Tbody>
        </Table>
      </Panel>
    </>
  )
}

interface RowProps {
  readonly ref: Ref<HTMLTableRowElement>
  readonly index: number
  readonly app: AppDetail
}

const AppRow = memo(function AppRow({ ref, index, app }: RowProps) {
  const channels = app.channels.map(({ name }) => name).join(', ')
  return (
    <Table.Tr ref={ref} data-index={index} aria-rowindex={index + 2}>
      <Table.Td className={classes.name}>
        <Link className="link wraps" to={paths.app(app.ref)}>
          {app.name}
        </Link>
        <Small ff="monospace" className="cut" title={app.ref}>
          {app.ref}
        </Small>
      </Table.Td>
      <Table.Td className={classes.channels}>
        <div className="cut" title={channels}>
          {channels}
        </div>
      </Table.Td>
      <Table.Td ta="end">{formatCount(app.devices)}</Table.Td>
      <Table.Td>
        <When at={app.createdAt} />
      </Table.Td>
      <Table.Td>
        <StatusBadge status={app.archived ? 'archived' : 'active'} />
      </Table.Td>
    </Table.Tr>
  )
})

/** Stands for the rows that are not drawn. */
function Gap({ height }: { readonly height: number }) {
  if (height <= 0) return null
  return (
    <tr>
      <td colSpan={COLUMNS} style={{ height: `${height}px`, padding: 0 }} />
    </tr>
  )
}
