import { IconHandStop } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useMatch } from 'react-router'
import type { ReleasePlace } from '../../../shared/console/releases/releases.ts'
import { useAccess } from '../../bridge/access.ts'
import { server } from '../../bridge/clients.ts'
import { patterns } from '../../paths.ts'
import { stopRelease } from '../../releases/stop/stop-button.tsx'
import { text as stopText } from '../../releases/stop/strings.ts'
import type { Entry } from './entry.ts'
import { text } from './strings.ts'

/** The live releases that the person may stop, that of the screen first. */
export function useStops(): readonly Entry[] {
  const { data } = useQuery(server.overview.get.queryOptions())
  const { may } = useAccess()
  const { app, channel, version } = useMatch(patterns.release)?.params ?? {}
  return useMemo((): Entry[] => {
    const live = (data?.apps ?? [])
      .filter(({ ref, archived }) => !archived && may('release_manager', ref))
      .flatMap(({ ref, channels }) =>
        channels.flatMap(({ name, live }) =>
          live.map((release) => ({ app: ref, channel: name, version: release.version })),
        ),
      )
    const isHere = (place: ReleasePlace) =>
      place.app === app && place.channel === channel && place.version === version
    return [...live.filter(isHere), ...live.filter((place) => !isHere(place))].map((place) => {
      const where = text.channel(place.app, place.channel)
      return {
        id: `stop-${where}/${place.version}`,
        group: 'stops',
        label: stopText.title(place.version),
        detail: where,
        verbs: text.stopVerbs,
        Icon: IconHandStop,
        run: () => stopRelease(place),
      }
    })
  }, [data, may, app, channel, version])
}
