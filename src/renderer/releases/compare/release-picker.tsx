import { Group, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReleaseOnChannel } from '../../../shared/console/releases/releases.ts'
import type { ReleaseStatus } from '../../../shared/releases/release.ts'
import { server } from '../../bridge/clients.ts'
import { StatusBadge } from '../../components/release/status-badge.tsx'
import { readPlace, writePlace } from '../../paths.ts'
import { text } from './strings.ts'

/** Milliseconds without a letter after which the server is asked. */
const REST = 150

/** Maximum length of a text that is searched. */
const LONGEST = 200

interface Props {
  readonly app: string
  /** The release that is not offered, because the other one is compared with it. */
  readonly except: ReleaseOnChannel
  readonly value: ReleaseOnChannel | undefined
  readonly onChange: (value: ReleaseOnChannel) => void
}

/** Chooses a release among all of an app, which the server searches while somebody types. */
export function ReleasePicker({ app, except, value, onChange }: Props) {
  const chosen = value === undefined ? undefined : text.choice(value)
  const [search, setSearch] = useState(chosen ?? '')
  const [asked] = useDebouncedValue(search, REST)
  const choices = useQuery({
    // The field has the name of what is chosen until somebody types.
    ...server.releases.choices.queryOptions({
      app,
      search: asked === chosen ? '' : asked.slice(0, LONGEST),
    }),
    placeholderData: keepPreviousData,
  })
  const statuses = new Map<string, ReleaseStatus>()
  const places = new Map(value && [[writePlace(value), value]])
  for (const { status, createdAt: _, ...place } of choices.data ?? []) {
    statuses.set(writePlace(place), status)
    places.set(writePlace(place), place)
  }
  places.delete(writePlace(except))
  return (
    <Select
      label={text.with}
      placeholder={text.searchHint}
      w={320}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      // The server has searched already.
      filter={({ options }) => options}
      nothingFoundMessage={text.noChoice}
      allowDeselect={false}
      data={[...places].map(([name, place]) => ({ value: name, label: text.choice(place) }))}
      renderOption={({ option }) => {
        const status = statuses.get(option.value)
        return (
          <Group justify="space-between" gap="xs" flex={1}>
            {option.label}
            {status !== undefined && <StatusBadge status={status} />}
          </Group>
        )
      }}
      value={value === undefined ? null : writePlace(value)}
      onChange={(name) => {
        const place = readPlace(name)
        if (place !== undefined) onChange(place)
      }}
    />
  )
}
