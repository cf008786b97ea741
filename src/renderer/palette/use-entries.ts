import { useDebouncedValue } from '@mantine/hooks'
import { IconApps, IconDevices, IconGitBranch, IconTag } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { SearchResult } from '../../shared/console/search.ts'
import { server } from '../bridge/clients.ts'
import { usePlaces } from '../layout/places.ts'
import { paths } from '../paths.ts'
import type { Entry } from './entry.ts'
import { text as strings, text } from './strings.ts'
import { useCommands } from './use-commands.ts'

/** What the palette finds without the server: screens, commands, apps and channels. */
export function useKnownEntries(
  open: (path: string) => void,
  showShortcuts: () => void,
): readonly Entry[] {
  const shown = usePlaces()
  const commands = useCommands(open, showShortcuts)
  const { data: apps } = useQuery(server.apps.names.queryOptions())
  return useMemo((): Entry[] => {
    const screens = shown.map(
      ({ name, to, Icon }): Entry => ({
        id: `screen-${to}`,
        group: 'screens',
        label: name,
        detail: '',
        Icon,
        run: () => open(to),
      }),
    )
    const places = (apps ?? []).flatMap(({ ref, name, archived, channels }): Entry[] => [
      {
        id: `app-${ref}`,
        group: 'apps',
        label: name,
        detail: archived ? `${ref} · ${text.archived}` : ref,
        Icon: IconApps,
        run: () => open(paths.app(ref)),
      },
      ...channels.map(
        (channel): Entry => ({
          id: `channel-${ref}/${channel}`,
          group: 'channels',
          label: text.channel(ref, channel),
          detail: name,
          Icon: IconGitBranch,
          run: () => open(paths.channelReleases(ref, channel)),
        }),
      ),
    ])
    return [...screens, ...commands, ...places]
  }, [apps, commands, open, shown])
}

/** Milliseconds without a letter after which the server is asked. */
const REST = 150

/** Maximum length of a text that is searched. */
const LONGEST = 200

const NOTHING: SearchResult = { releases: [], devices: [] }

/** Searches releases and devices on the server while `text` is typed. */
export function useFoundPlaces(text: string, open: (path: string) => void) {
  const trimmed = text.trim().slice(0, LONGEST)
  const [asked] = useDebouncedValue(trimmed, REST)
  const isAsking = trimmed !== '' && asked !== ''
  const { data, error, isFetching } = useQuery(
    server.search.find.queryOptions(
      { text: asked },
      { enabled: isAsking, placeholderData: keepPreviousData, gcTime: 60_000 },
    ),
  )
  const found = isAsking && data !== undefined ? data : NOTHING
  const entries = useMemo((): Entry[] => placesOf(found, open), [found, open])
  return { entries, error: isAsking ? error : null, isSearching: trimmed !== asked || isFetching }
}

function placesOf({ releases, devices }: SearchResult, open: (path: string) => void): Entry[] {
  return [
    ...releases.map((place): Entry => {
      const { app, channel, version } = place
      return {
        id: `release-${app}/${channel}/${version}`,
        group: 'releases',
        label: version,
        detail: strings.channel(app, channel),
        Icon: IconTag,
        run: () => open(paths.release(place)),
      }
    }),
    ...devices.map(
      ({ app, deviceId }): Entry => ({
        id: `device-${app}/${deviceId}`,
        group: 'devices',
        label: deviceId,
        detail: app,
        Icon: IconDevices,
        run: () => open(paths.device(app, deviceId)),
      }),
    ),
  ]
}
