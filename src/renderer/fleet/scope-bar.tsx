import { Group, NativeSelect, SegmentedControl } from '@mantine/core'
import type { AppDetail } from '../../shared/console/apps.ts'
import { FleetRange } from '../../shared/console/fleet.ts'
import type { Scope } from './scope.ts'
import { RANGE_WORDS } from './strings.ts'

interface Props {
  readonly scope: Scope
  readonly apps: readonly AppDetail[]
  /** Hears what changes, not the rest. */
  readonly onChange: (parts: Partial<Scope>) => void
}

/** Which app, which channel, and how far back. */
export function ScopeBar({ scope, apps, onChange }: Props) {
  const app = apps.find(({ ref }) => ref === scope.app)
  const channels = app?.channels.map(({ name }) => name) ?? []
  return (
    <Group gap="xs" align="end" mb="md">
      <NativeSelect
        label="App"
        value={scope.app}
        data={apps.map(({ ref, name }) => ({ value: ref, label: name }))}
        onChange={({ currentTarget }) => onChange({ app: currentTarget.value, channel: '' })}
      />
      <NativeSelect
        label="Channel"
        value={scope.channel}
        data={[{ value: '', label: 'All channels' }, ...channels]}
        onChange={({ currentTarget }) => onChange({ channel: currentTarget.value })}
      />
      <SegmentedControl
        ml="auto"
        aria-label="Range"
        value={scope.range}
        data={FleetRange.options.map((value) => ({ value, label: RANGE_WORDS[value].short }))}
        onChange={(value) => onChange({ range: FleetRange.parse(value) })}
      />
    </Group>
  )
}
