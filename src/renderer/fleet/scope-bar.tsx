import { Group, SegmentedControl } from '@mantine/core'
import type { AppName } from '../../shared/console/apps.ts'
import { FleetRange } from '../../shared/console/fleet.ts'
import { appChoices, nameChoices } from '../components/list/app-choices.ts'
import { SearchableSelect } from '../components/list/searchable-select.tsx'
import type { Scope } from './scope.ts'
import { RANGE_WORDS, text } from './strings.ts'

interface Props {
  readonly scope: Scope
  readonly apps: readonly AppName[]
  /** Hears what changes, not the rest. */
  readonly onChange: (parts: Partial<Scope>) => void
}

/** Which app, which channel, and how far back. */
export function ScopeBar({ scope, apps, onChange }: Props) {
  const app = apps.find(({ ref }) => ref === scope.app)
  return (
    <Group gap="xs" align="end" mb="md">
      <SearchableSelect
        w={208}
        label={text.app}
        value={scope.app}
        choices={appChoices(apps)}
        onChange={(ref) => onChange({ app: ref, channel: '' })}
      />
      <SearchableSelect
        w={168}
        label={text.channel}
        value={scope.channel}
        choices={[{ value: '', label: text.allChannels }, ...nameChoices(app?.channels ?? [])]}
        onChange={(channel) => onChange({ channel })}
      />
      <SegmentedControl
        ml="auto"
        aria-label={text.range}
        value={scope.range}
        data={FleetRange.options.map((value) => ({ value, label: RANGE_WORDS[value].short }))}
        onChange={(value) => onChange({ range: FleetRange.parse(value) })}
      />
    </Group>
  )
}
