import { useDebouncedValue } from '@mantine/hooks'
import {
  IconApps,
  IconDatabaseExport,
  IconDevices,
  IconGitBranch,
  IconGitCompare,
  IconKey,
  IconKeyboard,
  IconLogout,
  IconPalette,
  IconTag,
  IconUpload,
  IconUserCircle,
  IconUserPlus,
} from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useMatch } from 'react-router'
import type { Preferences } from '../../../shared/console/desktop/shell.ts'
import { ReleasePlace } from '../../../shared/console/releases/releases.ts'
import type { SearchResult } from '../../../shared/console/search.ts'
import { PLACE_NAMES } from '../../../shared/wording/places.ts'
import { useAccess } from '../../bridge/access.ts'
import { signOut } from '../../bridge/browser/account-client.ts'
import { isDesktop, server, serverClient, shell, shellClient } from '../../bridge/clients.ts'
import { runChange } from '../../components/change/announce.ts'
import { paths, patterns } from '../../paths.ts'
import { usePlaces } from '../places.ts'
import type { Entry } from './entry.ts'
import { text as strings, text } from './strings.ts'
import { useStops } from './use-stops.ts'

/** What the palette finds without the server: screens, commands, apps and channels. */
export function useKnownEntries(
  open: (path: string) => void,
  showShortcuts: () => void,
): readonly Entry[] {
  const shown = usePlaces()
  const commands = useCommands(open, showShortcuts)
  const { data: apps } = useQuery(server.apps.names.queryOptions())
  const stops = useStops()
  return useMemo((): Entry[] => {
    const entry = entriesOf(open)
    const screens = shown.map(({ id, to, Icon }) =>
      entry('screens', `screen-${to}`, PLACE_NAMES[id], '', Icon, to),
    )
    const places = (apps ?? []).flatMap(({ ref, name, archived, channels }) => {
      const detail = archived ? `${ref} · ${text.archived}` : ref
      return [
        entry('apps', `app-${ref}`, name, detail, IconApps, paths.app(ref)),
        ...channels.map((channel) => {
          const to = paths.channelReleases(ref, channel)
          const label = text.channel(ref, channel)
          return entry('channels', `channel-${ref}/${channel}`, label, name, IconGitBranch, to)
        }),
      ]
    })
    return [...screens, ...commands, ...stops, ...places]
  }, [apps, commands, open, shown, stops])
}

/** Returns what makes an entry that goes to a path. */
function entriesOf(open: (path: string) => void) {
  return (
    group: Entry['group'],
    id: string,
    label: string,
    detail: string,
    Icon: Entry['Icon'],
    to: string,
  ): Entry => ({ id, group, label, detail, Icon, run: () => open(to) })
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
  const entry = entriesOf(open)
  return [
    ...releases.map((place) => {
      const where = strings.channel(place.app, place.channel)
      const id = `release-${place.app}/${place.channel}/${place.version}`
      return entry('releases', id, place.version, where, IconTag, paths.release(place))
    }),
    ...devices.map(({ app, deviceId }) => {
      const to = paths.device(app, deviceId)
      return entry('devices', `device-${app}/${deviceId}`, deviceId, app, IconDevices, to)
    }),
  ]
}

type Theme = Preferences['theme']

const THEMES = ['light', 'dark', 'system'] as const satisfies readonly Theme[]

/** The commands of the palette that the person may give. `open`: goes to a path. */
function useCommands(open: (path: string) => void, showShortcuts: () => void): readonly Entry[] {
  const { data } = useQuery(shell.shell.preferences.queryOptions())
  const theme = data?.theme
  const { may, mayInSomeApp } = useAccess()
  const canBackUp = useCanBackUp(may('administrator'))
  const { app, channel, version } = useMatch(patterns.release)?.params ?? {}
  return useMemo((): Entry[] => {
    const command = (id: string, label: string, Icon: Entry['Icon'], run: () => void): Entry => {
      return { id: `command-${id}`, group: 'commands', label, detail: '', Icon, run }
    }
    const themes = THEMES.filter((each) => theme !== undefined && each !== theme)
    const place = ReleasePlace.safeParse({ app, channel, version }).data
    const [isManager, isAdministrator] = [mayInSomeApp('release_manager'), may('administrator')]
    const commands = [
      place &&
        command('compare', text.compare(place.version), IconGitCompare, () =>
          open(paths.compare(place)),
        ),
      isManager && command('publish', text.publish, IconUpload, () => open(paths.publish)),
      isAdministrator && command('create-app', text.createApp, IconApps, () => open(paths.newApp)),
      isManager && command('create-key', text.createKey, IconKey, () => open(paths.newKey)),
      isAdministrator && command('invite', text.invite, IconUserPlus, () => open(paths.newPerson)),
      canBackUp && command('back-up', text.backUp, IconDatabaseExport, () => void backUp()),
      ...themes.map((each) =>
        command(`theme-${each}`, text.themes[each], IconPalette, () => void setTheme(each)),
      ),
      !isDesktop() && command('account', text.myAccount, IconUserCircle, () => open(paths.account)),
      !isDesktop() &&
        command('sign-out', text.signOut, IconLogout, () => void signOut(text.signOutFailed)),
      command('shortcuts', text.showShortcuts, IconKeyboard, showShortcuts),
    ]
    return commands.filter((each) => each !== undefined && each !== false)
  }, [open, showShortcuts, theme, may, mayInSomeApp, canBackUp, app, channel, version])
}

/** Whether the server makes backups, unlike one with PostgreSQL, for a person who may ask for one. */
function useCanBackUp(mayAsk: boolean): boolean {
  const { data } = useQuery({
    ...server.backups.status.queryOptions(),
    ...{ enabled: mayAsk, staleTime: Number.POSITIVE_INFINITY },
  })
  return mayAsk && data?.available === true
}

/** Makes a backup. The server makes one at a time, whoever asks. */
function backUp(): Promise<void> {
  const words = { done: text.backedUp, failed: text.backUpFailed }
  return runChange(() => serverClient.backups.now.mutate(), words)
}

function setTheme(theme: Theme): Promise<void> {
  const words = { done: undefined, failed: text.themeFailed }
  return runChange(() => shellClient.shell.setPreferences.mutate({ theme }), words)
}
