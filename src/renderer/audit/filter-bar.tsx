import { NativeSelect } from '@mantine/core'
import { ActorKind } from '../../shared/audit.ts'
import type { AppDetail } from '../../shared/console/apps.ts'
import { ActionGroup } from '../../shared/console/audit.ts'
import { SearchField } from '../components/search-field.tsx'
import classes from './audit.module.css'
import { DayField } from './day-field.tsx'
import type { Filters } from './filters.ts'
import { SOURCE_WORDS } from './strings.ts'

interface Props {
  readonly filters: Filters
  readonly apps: readonly AppDetail[]
  readonly onChange: (parts: Partial<Filters>) => void
}

const GROUP_WORDS: Readonly<Record<ActionGroup, string>> = {
  release: 'Releases',
  channel: 'Channels',
  app: 'Apps',
  key: 'API keys',
  device: 'Devices',
  database: 'Backups',
}

const SOURCES = [
  { value: '', label: 'Any source' },
  ...ActorKind.options.map((value) => ({ value, label: SOURCE_WORDS[value] })),
]
const GROUPS = [
  { value: '', label: 'Everything' },
  ...ActionGroup.options.map((value) => ({ value, label: GROUP_WORDS[value] })),
]

/** What the log is narrowed to. */
export function FilterBar({ filters, apps, onChange: change }: Props) {
  const chosen = apps.filter(({ ref }) => filters.app === '' || ref === filters.app)
  // What was removed is still in the log, and can be in the address.
  const refs = new Set([...apps.map(({ ref }) => ref), filters.app].filter(Boolean))
  const names = chosen.flatMap(({ channels }) => channels.map(({ name }) => name))
  const channels = new Set([...names, filters.channel].filter(Boolean))
  return (
    <search className={classes.filters}>
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
        label="About"
        value={filters.about}
        data={GROUPS}
        onChange={({ currentTarget }) => {
          const about = ActionGroup.safeParse(currentTarget.value)
          change({ about: about.success ? about.data : '' })
        }}
      />
      <NativeSelect
        label="Source"
        value={filters.source}
        data={SOURCES}
        onChange={({ currentTarget }) => {
          const source = ActorKind.safeParse(currentTarget.value)
          change({ source: source.success ? source.data : '' })
        }}
      />
      <DayField
        label="First day"
        max={filters.to}
        value={filters.from}
        onChange={(from) => change({ from })}
      />
      <DayField
        label="Last day"
        min={filters.from}
        value={filters.to}
        onChange={(to) => change({ to })}
      />
      <SearchField
        value={filters.search}
        placeholder="Name, version or value"
        onChange={(search) => change({ search })}
      />
    </search>
  )
}
