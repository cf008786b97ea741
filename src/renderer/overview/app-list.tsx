import { Button, Group, Stack } from '@mantine/core'
import { memo, useMemo, useState } from 'react'
import type { LiveRelease, Overview } from '../../shared/console/overview.ts'
import { findApps } from '../apps/find-apps.ts'
import { LinkButton, Panel } from '../components/blocks.tsx'
import { readText, useAddressFilters, writeParams } from '../components/list/address-filters.ts'
import { SearchField } from '../components/list/search-field.tsx'
import { useVirtualList } from '../components/list/use-virtual-list.ts'
import { NoResults } from '../components/loading/empty-state.tsx'
import { RolloutLegend } from '../components/release/rollout-bar.tsx'
import { paths } from '../paths.ts'
import { ChannelRow } from './channel-row.tsx'
import type { ReleaseStates } from './release-states.ts'
import { text } from './strings.ts'

/** More apps than this can be searched. */
const SEARCHABLE = 5

const readFilters = (params: URLSearchParams) => ({ search: readText(params, 'search', 200) })

interface ListProps extends Pick<Overview, 'apps'> {
  readonly states: ReleaseStates
}

/**
 * What is live where: the apps, each with its channels. A long list can be searched or narrowed to what is being rolled out, and draws
 * only what is seen.
 */
export function AppList({ apps, states }: ListProps) {
  const [{ search }, change] = useAddressFilters(readFilters, writeParams)
  const [isMoving, setMoving] = useState(false)
  const shown = useMemo(() => {
    const found = findApps(apps, search)
    return isMoving ? found.filter(isRollingOut) : found
  }, [apps, search, isMoving])
  const { list, indexes, before, after, measure } = useVirtualList<HTMLDivElement>({
    count: shown.length,
    estimate: 190,
    gap: 24,
    keyOf: (index) => shown[index]?.ref ?? '',
  })
  return (
    <div>
      <Group justify="space-between" mb="sm" gap="xs">
        {(apps.length > SEARCHABLE || search !== '') && (
          <Group component="search" gap="8px 16px" miw="min(360px, 100%)">
            <SearchField
              value={search}
              placeholder={text.searchApps}
              onChange={(typed) => change({ search: typed })}
            />
            <Button
              variant={isMoving ? 'light' : 'subtle'}
              aria-pressed={isMoving}
              onClick={() => setMoving(!isMoving)}
            >
              {text.onlyRollouts}
            </Button>
          </Group>
        )}
        <RolloutLegend />
      </Group>
      {shown.length === 0 && apps.length > 0 && (
        <NoResults
          onClear={() => {
            change({ search: '' })
            setMoving(false)
          }}
          hint={text.noAppsHint}
        />
      )}
      <Stack ref={list} gap="lg" style={{ paddingTop: `${before}px`, paddingBottom: `${after}px` }}>
        {indexes.map((index) => {
          const app = shown[index]
          return (
            app !== undefined && (
              <div key={app.ref} ref={measure} data-index={index}>
                <AppPanel app={app} states={states} />
              </div>
            )
          )
        })}
      </Stack>
    </div>
  )
}

interface Props {
  readonly app: Overview['apps'][number]
  readonly states: ReleaseStates
}

/** One app: a row for each of its channels. */
const AppPanel = memo(function AppPanel({ app, states }: Props) {
  const compared = channelComparison(app)
  return (
    <Panel
      flush
      title={app.name}
      actions={
        <>
          {compared !== undefined && (
            <LinkButton size="xs" to={compared} variant="subtle">
              {text.compareChannels}
            </LinkButton>
          )}
          <LinkButton
            size="xs"
            to={paths.app(app.ref)}
            variant="subtle"
            aria-label={text.openAppLabel(app.name)}
          >
            {text.openApp}
          </LinkButton>
        </>
      }
    >
      {app.channels.map((channel) => (
        <ChannelRow key={channel.name} app={app} channel={channel} states={states} />
      ))}
    </Panel>
  )
})

/** Where the latest live releases of the first two channels that have any stand side by side. */
function channelComparison({ ref, channels }: Props['app']): string | undefined {
  const [first, second] = channels.flatMap(({ name, live: [latest] }) =>
    latest === undefined ? [] : [{ channel: name, version: latest.version }],
  )
  if (first === undefined || second === undefined) return undefined
  return paths.compare({ app: ref, ...second }, first)
}

function isRollingOut({ channels }: Overview['apps'][number]): boolean {
  const isPartial = ({ rolloutPct }: LiveRelease) => rolloutPct > 0 && rolloutPct < 100
  return channels.some(({ live }) => live.some(isPartial))
}
