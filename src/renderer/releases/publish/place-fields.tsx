import { memo } from 'react'
import { DEFAULT_CHANNEL } from '../../../shared/channel.ts'
import type { AppName } from '../../../shared/console/apps.ts'
import { appChoices, nameChoices } from '../../components/list/app-choices.ts'
import { SearchableSelect } from '../../components/list/searchable-select.tsx'
import { text } from './strings.ts'

interface Props {
  readonly apps: readonly AppName[]
  readonly app: string
  readonly channel: string
  readonly onChange: (place: { app: string; channel: string }) => void
}

/** The app and the channel that a release is published on. */
export const PlaceFields = memo(function PlaceFields(props: Props) {
  const { apps, app, channel, onChange } = props
  const channels = apps.find(({ ref }) => ref === app)?.channels ?? []
  return (
    <>
      <SearchableSelect
        label={text.app}
        required
        value={app}
        choices={appChoices(apps)}
        onChange={(ref) => onChange(placeIn(apps, ref, channel))}
      />
      <SearchableSelect
        label={text.channel}
        required
        value={channel}
        choices={nameChoices(channels)}
        onChange={(name) => onChange({ app, channel: name })}
      />
    </>
  )
})

/** The app and channel that were asked for where they exist, else the first app and its usual channel. */
export function placeIn(
  apps: readonly AppName[],
  app: string,
  channel: string,
): { app: string; channel: string } {
  const chosen = apps.find(({ ref }) => ref === app) ?? apps[0]
  const names = chosen?.channels ?? []
  const name = [channel, DEFAULT_CHANNEL].find((wanted) => names.includes(wanted)) ?? names[0]
  return { app: chosen?.ref ?? '', channel: name ?? '' }
}
