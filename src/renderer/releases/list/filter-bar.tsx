import { Group, NativeSelect, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { AppDetail } from '../../../shared/console/apps.ts'
import { ReleaseStatus } from '../../../shared/release.ts'
import type { Filters } from './filters.ts'

interface Props {
  readonly filters: Filters
  readonly apps: readonly AppDetail[]
  readonly onChange: (filters: Filters) => void
}

const STATUSES = [
  { value: '', label: 'Any status' },
  { value: 'published', label: 'Published' },
  { value: 'paused', label: 'Paused' },
  { value: 'rolled_back', label: 'Rolled back' },
]

/** What the list is narrowed to. Every change goes back to the first page. */
export function FilterBar({ filters, apps, onChange }: Props) {
  const change = (parts: Partial<Filters>) => onChange({ ...filters, page: 1, ...parts })
  const chosen = apps.filter(({ ref }) => filters.app === '' || ref === filters.app)
  const channels = new Set(chosen.flatMap((app) => app.channels.map(({ name }) => name)))
  if (filters.channel !== '') channels.add(filters.channel)
  const refs = new Set(apps.map(({ ref }) => ref))
  if (filters.app !== '') refs.add(filters.app)
  return (
    <Group component="search" gap="xs" mb="md" align="end">
      <NativeSelect
        label="App"
        value={filters.app}
        data={[{ value: '', label: 'All apps' }, ...refs]}
        onChange={({ currentTarget }) => change({ app: currentTarget.value, channel: '' })}
      />
      <NativeSelect
        label="Channel"
        value={filters.channel}
        data={[{ value: '', label: 'All channels' }, ...channels]}
        onChange={({ currentTarget }) => change({ channel: currentTarget.value })}
      />
      <NativeSelect
        label="Status"
        value={filters.status}
        data={STATUSES}
        onChange={({ currentTarget }) => {
          const status = ReleaseStatus.safeParse(currentTarget.value)
          change({ status: status.success ? status.data : '' })
        }}
      />
      <SearchField value={filters.search} onChange={(search) => change({ search })} />
    </Group>
  )
}

interface SearchProps {
  readonly value: string
  readonly onChange: (text: string) => void
}

/** Hands on what is typed after a short rest, so that not every letter asks the server. */
function SearchField({ value, onChange }: SearchProps) {
  const [text, setText] = useState(value)
  const latest = useRef(onChange)
  latest.current = onChange
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return
    const rest = setTimeout(() => latest.current(text), 250)
    return () => clearTimeout(rest)
  }, [text, value])
  return (
    <TextInput
      label="Search"
      type="search"
      placeholder="Version or notes"
      maxLength={200}
      leftSection={<IconSearch size={16} aria-hidden="true" />}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
    />
  )
}
