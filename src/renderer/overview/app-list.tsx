import { Button } from '@mantine/core'
import { memo, useMemo } from 'react'
import { Link } from 'react-router'
import type { Overview } from '../../shared/console/overview.ts'
import { findApps } from '../apps/find-apps.ts'
import { readText, useAddressFilters, writeParams } from '../components/list/address-filters.ts'
import { SearchField } from '../components/list/search-field.tsx'
import { useVirtualList } from '../components/list/use-virtual-list.ts'
import { NoResults } from '../components/loading/empty-state.tsx'
import { Panel } from '../components/panel.tsx'
import { paths } from '../paths.ts'
import { ChannelSummary } from './channel-summary.tsx'
import classes from './overview.module.css'
import { text } from './strings.ts'

/** More apps than this can be searched. */
const SEARCHABLE = 5

const readFilters = (params: URLSearchParams) => ({ search: readText(params, 'search', 200) })

/** The apps, each with its channels; a long list can be searched, and draws only what is seen. */
export function AppList({ apps }: Pick<Overview, 'apps'>) {
  const [{ search }, change] = useAddressFilters(readFilters, writeParams)
  const shown = useMemo(() => findApps(apps, search), [apps, search])
  const { list, indexes, before, after, measure } = useVirtualList<HTMLDivElement>({
    count: shown.length,
    estimate: 190,
    gap: 24,
    keyOf: (index) => shown[index]?.ref ?? '',
  })
  return (
    <div>
      {(apps.length > SEARCHABLE || search !== '') && (
        <search className={classes.search}>
          <SearchField
            value={search}
            placeholder={text.searchApps}
            onChange={(typed) => change({ search: typed })}
          />
        </search>
      )}
      {shown.length === 0 && apps.length > 0 && (
        <NoResults
          title={text.noApps}
          clear={text.clearSearch}
          onClear={() => change({ search: '' })}
        >
          {text.noAppsHint}
        </NoResults>
      )}
      <div
        ref={list}
        className={classes.apps}
        style={{ paddingTop: `${before}px`, paddingBottom: `${after}px` }}
      >
        {indexes.map((index) => {
          const app = shown[index]
          return (
            app !== undefined && (
              <div key={app.ref} ref={measure} data-index={index}>
                <AppPanel app={app} />
              </div>
            )
          )
        })}
      </div>
    </div>
  )
}

interface Props {
  readonly app: Overview['apps'][number]
}

/** One app: a row for each of its channels. */
const AppPanel = memo(function AppPanel({ app }: Props) {
  return (
    <Panel
      flush
      title={app.name}
      actions={
        <Button
          component={Link}
          to={paths.app(app.ref)}
          variant="subtle"
          size="xs"
          aria-label={text.openAppLabel(app.name)}
        >
          {text.openApp}
        </Button>
      }
    >
      {app.channels.map((channel) => (
        <ChannelSummary key={channel.name} app={app} channel={channel} />
      ))}
    </Panel>
  )
})
