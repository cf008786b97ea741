import { useMemo } from 'react'
import type { Overview } from '../../shared/console/overview.ts'
import { findApps } from '../apps/find-apps.ts'
import { readText, writeParams } from '../components/list/address-params.ts'
import { SearchField } from '../components/list/search-field.tsx'
import { useAddressFilters } from '../components/list/use-address-filters.ts'
import { useVirtualList } from '../components/list/use-virtual-list.ts'
import { NoResults } from '../components/loading/empty-state.tsx'
import { AppPanel } from './app-panel.tsx'
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
