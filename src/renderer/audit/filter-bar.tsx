import { NativeSelect } from '@mantine/core'
import { ActorKind } from '../../shared/audit.ts'
import type { AppDetail } from '../../shared/console/apps.ts'
import { ActionGroup } from '../../shared/console/audit.ts'
import { appChoices } from '../components/list/app-choices.ts'
import { SearchField } from '../components/list/search-field.tsx'
import classes from './audit.module.css'
import { DayField } from './day-field.tsx'
import type { Filters } from './filters.ts'
import { GROUP_WORDS, SOURCE_WORDS, text } from './strings.ts'

interface Props {
  readonly filters: Filters
  readonly apps: readonly AppDetail[]
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
  const chosen = apps.filter(({ ref }) => filters.app === '' || ref === filters.app)
  // Entries of a deleted app stay in the log.
  const isDeleted = filters.app !== '' && apps.every(({ ref }) => ref !== filters.app)
  const choices = [
    { value: '', label: text.allApps },
    ...appChoices(apps),
    ...(isDeleted ? [{ value: filters.app, label: text.unknownOption(filters.app) }] : []),
  ]
  const names = chosen.flatMap(({ channels }) => channels.map(({ name }) => name))
  const channels = new Set([...names, filters.channel].filter(Boolean))
  return (
    <search className={classes.filters}>
      <NativeSelect
        label={text.app}
        value={filters.app}
        data={choices}
        onChange={({ currentTarget }) => change({ app: currentTarget.value, channel: '' })}
      />
      <NativeSelect
        label={text.channel}
        value={filters.channel}
        data={[{ value: '', label: text.allChannels }, ...channels]}
        onChange={({ currentTarget }) => change({ channel: currentTarget.value })}
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
