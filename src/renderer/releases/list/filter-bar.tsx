import { Group, NativeSelect } from '@mantine/core'
import type { AppDetail } from '../../../shared/console/apps.ts'
import { ReleaseStatus } from '../../../shared/release.ts'
import { SearchField } from '../../components/list/search-field.tsx'
import type { Filters } from './filters.ts'
import { STATUS_CHOICES, text } from './strings.ts'

interface Props {
  readonly filters: Filters
  readonly apps: readonly AppDetail[]
  readonly onChange: (parts: Partial<Filters>) => void
}

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
        label={text.app}
        value={filters.app}
        data={[{ value: '', label: text.allApps }, ...refs]}
        onChange={({ currentTarget }) => onChange({ app: currentTarget.value, channel: '' })}
      />
      <NativeSelect
        label={text.channel}
        value={filters.channel}
        data={[{ value: '', label: text.allChannels }, ...channels]}
        onChange={({ currentTarget }) => onChange({ channel: currentTarget.value })}
      />
      <NativeSelect
        label={text.status}
        value={filters.status}
        data={[...STATUS_CHOICES]}
        onChange={({ currentTarget }) => {
          const status = ReleaseStatus.safeParse(currentTarget.value)
          onChange({ status: status.success ? status.data : '' })
        }}
      />
      <SearchField
        value={filters.search}
        placeholder={text.searchHint}
        onChange={(search) => onChange({ search })}
      />
    </Group>
  )
}
