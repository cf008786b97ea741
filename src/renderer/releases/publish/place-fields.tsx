import { NativeSelect } from '@mantine/core'
import { memo } from 'react'
import { DEFAULT_CHANNEL } from '../../../shared/channel.ts'
import type { AppDetail } from '../../../shared/console/apps.ts'
import { text } from './strings.ts'

interface Props {
  readonly apps: readonly AppDetail[]
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
      <NativeSelect
        label={text.app}
        required
        value={app}
        data={apps.map(({ ref, name }) => ({
          value: ref,
          label: name === ref ? ref : `${name} (${ref})`,
        }))}
        onChange={({ currentTarget }) => onChange(placeIn(apps, currentTarget.value, channel))}
      />
      <NativeSelect
        label={text.channel}
        required
        value={channel}
        data={channels.map(({ name }) => name)}
        onChange={({ currentTarget }) => onChange({ app, channel: currentTarget.value })}
      />
    </>
  )
})

/** The app and channel that were asked for where they exist, else the first app and its usual channel. */
export function placeIn(
  apps: readonly AppDetail[],
  app: string,
  channel: string,
): { app: string; channel: string } {
  const chosen = apps.find(({ ref }) => ref === app) ?? apps[0]
  const names = chosen?.channels.map(({ name }) => name) ?? []
  const name = [channel, DEFAULT_CHANNEL].find((wanted) => names.includes(wanted)) ?? names[0]
  return { app: chosen?.ref ?? '', channel: name ?? '' }
}
