import {
  IconApps,
  IconDatabaseExport,
  IconGitCompare,
  IconKey,
  IconKeyboard,
  IconLogout,
  IconPalette,
  IconUpload,
  IconUserCircle,
  IconUserPlus,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useMatch } from 'react-router'
import { ReleasePlace } from '../../shared/console/releases.ts'
import type { Preferences } from '../../shared/console/shell.ts'
import { useAccess } from '../bridge/access.ts'
import { signOut } from '../bridge/browser/sign-out.ts'
import { isDesktop, server, serverClient, shell, shellClient } from '../bridge/clients.ts'
import { runChange } from '../components/change/announce.ts'
import { paths, patterns } from '../paths.ts'
import type { Entry } from './entry.ts'
import { text } from './strings.ts'

type Theme = Preferences['theme']

const THEMES = ['light', 'dark', 'system'] as const satisfies readonly Theme[]

/** The commands of the palette that the person may give. `open`: goes to a path. */
export function useCommands(
  open: (path: string) => void,
  showShortcuts: () => void,
): readonly Entry[] {
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
    const place = ReleasePlace.safeParse({ app, channel, version })
    return [
      ...(place.success
        ? [
            command('compare', text.compare(place.data.version), IconGitCompare, () =>
              open(paths.compare(place.data)),
            ),
          ]
        : []),
      ...(mayInSomeApp('release_manager')
        ? [command('publish', text.publish, IconUpload, () => open(paths.publish))]
        : []),
      ...(may('administrator')
        ? [command('create-app', text.createApp, IconApps, () => open(paths.newApp))]
        : []),
      ...(mayInSomeApp('release_manager')
        ? [command('create-key', text.createKey, IconKey, () => open(paths.newKey))]
        : []),
      ...(may('administrator')
        ? [command('invite', text.invite, IconUserPlus, () => open(paths.newPerson))]
        : []),
      ...(canBackUp
        ? [command('back-up', text.backUp, IconDatabaseExport, () => void backUp())]
        : []),
      ...themes.map((each) =>
        command(`theme-${each}`, text.themes[each], IconPalette, () => void setTheme(each)),
      ),
      ...(isDesktop()
        ? []
        : [
            command('account', text.myAccount, IconUserCircle, () => open(paths.account)),
            command('sign-out', text.signOut, IconLogout, () => void signOut(text.signOutFailed)),
          ]),
      command('shortcuts', text.showShortcuts, IconKeyboard, showShortcuts),
    ]
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
