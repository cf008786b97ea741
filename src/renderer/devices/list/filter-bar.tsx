import { Group, NativeSelect } from '@mantine/core'
import type { AppDetail } from '../../../shared/console/apps.ts'
import {
  type DeviceListPage,
  HealthFilter,
  MAX_DEVICE_SEARCH,
  SeenWithin,
} from '../../../shared/console/devices.ts'
import { SearchField } from '../../components/list/search-field.tsx'
import {
  appChoices,
  nameChoices,
  SearchableSelect,
} from '../../components/list/searchable-select.tsx'
import { readPlace } from '../../paths.ts'
import { choiceInWords, HEALTH_CHOICES, SEEN_LABELS, text } from '../strings.ts'
import classes from './devices.module.css'
import { type Filters, withoutFilters } from './filters.ts'

interface Props {
  readonly filters: Filters
  readonly apps: readonly AppDetail[]
  /** What its devices run; undefined until the first answer. */
  readonly choices: DeviceListPage['choices'] | undefined
  readonly onChange: (parts: Partial<Filters>) => void
}

/** What the list is narrowed to. Every change goes back to the first page. */
export function FilterBar({ filters, apps, choices, onChange }: Props) {
  const change = (parts: Partial<Filters>) => onChange({ cursor: '', direction: 'next', ...parts })
  const app = apps.find(({ ref }) => ref === filters.app)
  const names = app?.channels.map(({ name }) => name) ?? []
  return (
    <Group component="search" className={`${classes.filters} filters`} gap="xs" mb="md" align="end">
      <SearchableSelect
        label={text.app}
        value={filters.app}
        choices={appChoices(apps)}
        onChange={(ref) => onChange({ ...withoutFilters(filters), app: ref })}
      />
      <SearchableSelect
        label={text.channel}
        value={filters.channel}
        choices={[{ value: '', label: text.all }, ...nameChoices(names)]}
        onChange={(channel) => change({ channel })}
      />
      <Choice
        label={text.version}
        value={filters.version}
        values={choices?.versions ?? []}
        onChange={(version) => change({ version })}
      />
      <Choice
        label={text.platform}
        value={filters.platform}
        values={choices?.platforms ?? []}
        onChange={(platform) => change({ platform })}
      />
      <Choice
        label={text.arch}
        value={filters.arch}
        values={choices?.arches ?? []}
        onChange={(arch) => change({ arch })}
      />
      {filters.release !== '' && (
        <NativeSelect
          label={text.healthOf(readPlace(filters.release)?.version ?? '')}
          w={176}
          value={filters.health}
          data={[
            ...HealthFilter.options.map((value) => ({ value, label: HEALTH_CHOICES[value] })),
            { value: '', label: text.anyRelease },
          ]}
          onChange={({ currentTarget }) =>
            change(
              currentTarget.value === ''
                ? { release: '', health: 'offered' }
                : { health: HealthFilter.catch('offered').parse(currentTarget.value) },
            )
          }
        />
      )}
      <NativeSelect
        label={text.lastSeen}
        value={filters.seen}
        data={SeenWithin.options.map((value) => ({ value, label: SEEN_LABELS[value] }))}
        onChange={({ currentTarget }) =>
          change({ seen: SeenWithin.catch('any').parse(currentTarget.value) })
        }
      />
      <SearchField
        className={classes.search}
        value={filters.search}
        placeholder={text.search}
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
        { value: '', label: text.all },
        ...shown.map((one) => ({ value: one, label: choiceInWords(one) })),
      ]}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
