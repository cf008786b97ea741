import { IconApps, IconGitBranch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { server } from '../bridge/clients.ts'
import { usePlaces } from '../layout/use-places.ts'
import { paths } from '../paths.ts'
import type { Entry } from './entry.ts'
import { text } from './strings.ts'
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
