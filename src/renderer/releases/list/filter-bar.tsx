import { Group, NativeSelect } from '@mantine/core'
import type { AppDetail } from '../../../shared/console/apps.ts'
import { ReleaseStatus } from '../../../shared/release.ts'
import { SearchField } from '../../components/search-field.tsx'
import type { Filters } from './filters.ts'

interface Props {
  readonly filters: Filters
  readonly apps: readonly AppDetail[]
  readonly onChange: (parts: Partial<Filters>) => void
}

const STATUSES = [
  { value: '', label: 'Any status' },
  { value: 'published', label: 'Published' },
  { value: 'paused', label: 'Paused' },
  { value: 'rolled_back', label: 'Rolled back' },
]

/** What the list is narrowed to; each field says what it changes. */
export function FilterBar({ filters, apps, onChange }: Props) {
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
        onChange={({ currentTarget }) => onChange({ app: currentTarget.value, channel: '' })}
      />
      <NativeSelect
        label="Channel"
        value={filters.channel}
        data={[{ value: '', label: 'All channels' }, ...channels]}
        onChange={({ currentTarget }) => onChange({ channel: currentTarget.value })}
      />
      <NativeSelect
        label="Status"
        value={filters.status}
        data={STATUSES}
        onChange={({ currentTarget }) => {
          const status = ReleaseStatus.safeParse(currentTarget.value)
          onChange({ status: status.success ? status.data : '' })
        }}
      />
      <SearchField
        value={filters.search}
        placeholder="Version or notes"
        onChange={(search) => onChange({ search })}
      />
    </Group>
  )
}
