import { Group, NativeSelect } from '@mantine/core'
import type { AppName } from '../../../shared/console/apps.ts'
import { ReleaseStatus } from '../../../shared/release.ts'
import { appChoices, nameChoices } from '../../components/list/app-choices.ts'
import { SearchField } from '../../components/list/search-field.tsx'
import { SearchableSelect } from '../../components/list/searchable-select.tsx'
import type { Filters } from './filters.ts'
import { STATUS_CHOICES, text } from './strings.ts'

interface Props {
  readonly filters: Filters
  readonly apps: readonly AppName[]
  readonly onChange: (parts: Partial<Filters>) => void
}

/** What the list is narrowed to; each field says what it changes. */
export function FilterBar({ filters, apps, onChange }: Props) {
  const chosen = apps.filter(({ ref }) => filters.app === '' || ref === filters.app)
  const channels = new Set(chosen.flatMap((app) => app.channels))
  return (
    <Group component="search" gap="xs" mb="md" align="end">
      <SearchableSelect
        w={208}
        label={text.app}
        value={filters.app}
        choices={[{ value: '', label: text.allApps }, ...appChoices(apps)]}
        onChange={(app) => onChange({ app, channel: '' })}
      />
      <SearchableSelect
        w={168}
        label={text.channel}
        value={filters.channel}
        choices={[{ value: '', label: text.allChannels }, ...nameChoices(channels)]}
        onChange={(channel) => onChange({ channel })}
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
