import { Group, NativeSelect } from '@mantine/core'
import type { AppDetail } from '../../../shared/console/apps.ts'
import {
  type DeviceListPage,
  MAX_DEVICE_SEARCH,
  SeenWithin,
} from '../../../shared/console/devices.ts'
import { SearchField } from '../../components/search-field.tsx'
import { choiceInWords } from '../strings.ts'
import classes from './devices.module.css'
import { type Filters, withoutFilters } from './filters.ts'

interface Props {
  readonly filters: Filters
  /** The app whose devices are listed. */
  readonly app: AppDetail
  readonly apps: readonly AppDetail[]
  /** What its devices run; undefined until the first answer. */
  readonly choices: DeviceListPage['choices'] | undefined
  readonly onChange: (parts: Partial<Filters>) => void
}

const SEEN: readonly { readonly value: SeenWithin; readonly label: string }[] = [
  { value: 'any', label: 'Any time' },
  { value: '24h', label: '24 hours' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
]

/** What the list is narrowed to. Every change goes back to the first page. */
export function FilterBar({ filters, app, apps, choices, onChange }: Props) {
  const change = (parts: Partial<Filters>) => onChange({ cursor: '', direction: 'next', ...parts })
  const names = app.channels.map(({ name }) => name)
  return (
    <Group component="search" className={classes.filters} gap="xs" mb="md" align="end">
      <NativeSelect
        label="App"
        value={app.ref}
        data={apps.map(({ ref }) => ref)}
        onChange={({ currentTarget }) =>
          onChange({ ...withoutFilters(filters), app: currentTarget.value })
        }
      />
      <Choice
        label="Channel"
        value={filters.channel}
        values={names}
        onChange={(channel) => change({ channel })}
      />
      <Choice
        label="Version"
        value={filters.version}
        values={choices?.versions ?? []}
        onChange={(version) => change({ version })}
      />
      <Choice
        label="Platform"
        value={filters.platform}
        values={choices?.platforms ?? []}
        onChange={(platform) => change({ platform })}
      />
      <Choice
        label="Arch"
        value={filters.arch}
        values={choices?.arches ?? []}
        onChange={(arch) => change({ arch })}
      />
      <NativeSelect
        label="Last seen"
        value={filters.seen}
        data={[...SEEN]}
        onChange={({ currentTarget }) =>
          change({ seen: SeenWithin.catch('any').parse(currentTarget.value) })
        }
      />
      <SearchField
        className={classes.search}
        value={filters.search}
        placeholder="Beginning of an id, or label=value"
        maxLength={MAX_DEVICE_SEARCH}
        onChange={(search) => change({ search })}
      />
    </Group>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly values: readonly string[]
  readonly onChange: (value: string) => void
}

/** One of several values, or any. What the address asks for can be seen even where nothing has it. */
function Choice({ label, value, values, onChange }: ChoiceProps) {
  const shown = value === '' || values.includes(value) ? values : [value, ...values]
  return (
    <NativeSelect
      label={label}
      value={value}
      data={[
        { value: '', label: 'All' },
        ...shown.map((one) => ({ value: one, label: choiceInWords(one) })),
      ]}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
