import { NativeSelect } from '@mantine/core'
import type { AppName } from '../../shared/console/apps.ts'
import { ActionGroup } from '../../shared/console/audit.ts'
import { ActorKind } from '../../shared/events/audit.ts'
import { SearchField } from '../components/list/search-field.tsx'
import { appChoices, nameChoices, SearchableSelect } from '../components/list/searchable-select.tsx'
import { useFieldText } from '../components/list/use-field-text.ts'
import { PlainField } from '../components/text-fields.tsx'
import classes from './audit.module.css'
import type { Filters } from './filters.ts'
import { GROUP_WORDS, SOURCE_WORDS, text } from './strings.ts'

interface Props {
  readonly filters: Filters
  /** Undefined until the first answer. */
  readonly apps: readonly AppName[] | undefined
  readonly onChange: (parts: Partial<Filters>) => void
}

const SOURCES = [
  { value: '', label: text.anySource },
  ...ActorKind.options.map((value) => ({ value, label: SOURCE_WORDS[value] })),
]
const GROUPS = [
  { value: '', label: text.allTypes },
  ...ActionGroup.options.map((value) => ({ value, label: GROUP_WORDS[value] })),
]

/** What the log is narrowed to. */
export function FilterBar({ filters, apps, onChange: change }: Props) {
  const chosen = apps?.filter(({ ref }) => filters.app === '' || ref === filters.app) ?? []
  // Entries of a deleted app stay in the log.
  const isDeleted = filters.app !== '' && apps !== undefined && chosen.length === 0
  const choices = [
    { value: '', label: text.allApps },
    ...appChoices(apps ?? []),
    ...(isDeleted ? [{ value: filters.app, label: text.unknownOption(filters.app) }] : []),
  ]
  const channels = new Set(chosen.flatMap((app) => app.channels))
  return (
    <search className={`${classes.filters} filters`}>
      <SearchableSelect
        label={text.app}
        value={filters.app}
        choices={choices}
        onChange={(app) => change({ app, channel: '' })}
      />
      <SearchableSelect
        label={text.channel}
        value={filters.channel}
        choices={[{ value: '', label: text.allChannels }, ...nameChoices(channels)]}
        onChange={(channel) => change({ channel })}
      />
      <NativeSelect
        label={text.type}
        value={filters.about}
        data={GROUPS}
        onChange={({ currentTarget }) => {
          const about = ActionGroup.safeParse(currentTarget.value)
          change({ about: about.success ? about.data : '' })
        }}
      />
      <NativeSelect
        label={text.source}
        value={filters.source}
        data={SOURCES}
        onChange={({ currentTarget }) => {
          const source = ActorKind.safeParse(currentTarget.value)
          change({ source: source.success ? source.data : '' })
        }}
      />
      <DayField
        label={text.from}
        max={filters.to}
        value={filters.from}
        onChange={(from) => change({ from })}
      />
      <DayField
        label={text.to}
        min={filters.from}
        value={filters.to}
        onChange={(to) => change({ to })}
      />
      <SearchField
        value={filters.search}
        placeholder={text.search}
        onChange={(search) => change({ search })}
      />
    </search>
  )
}

interface DayFieldProps {
  readonly label: string
  /** `2026-03-14`, or nothing. */
  readonly value: string
  readonly min?: string
  readonly max?: string
  readonly onChange: (day: string) => void
}

/** A day to choose or to type. A year that is being typed, which begins as 0002, stays in the field. */
function DayField({ label, value, min = '', max = '', onChange }: DayFieldProps) {
  const { text, setText, handOn } = useFieldText(value)
  return (
    <PlainField
      label={label}
      type="date"
      min={min}
      max={max}
      value={text}
      onChange={(day) => {
        setText(day)
        if (day.startsWith('0') || day === value) return
        handOn(day)
        onChange(day)
      }}
    />
  )
}
