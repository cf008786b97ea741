import { Group, NativeSelect, SegmentedControl } from '@mantine/core'
import type { AppDetail } from '../../shared/console/apps.ts'
import { FleetRange } from '../../shared/console/fleet.ts'
import { appChoices } from '../components/list/app-choices.ts'
import type { Scope } from './scope.ts'
import { RANGE_WORDS, text } from './strings.ts'

interface Props {
  readonly scope: Scope
  readonly apps: readonly AppDetail[]
  /** Hears what changes, not the rest. */
  readonly onChange: (parts: Partial<Scope>) => void
}

/** Which app, which channel, and how far back. */
export function ScopeBar({ scope, apps, onChange }: Props) {
  const app = apps.find(({ ref }) => ref === scope.app)
  const names = app?.channels.map(({ name }) => name) ?? []
  const channels = new Set([...names, scope.channel].filter(Boolean))
  return (
    <Group gap="xs" align="end" mb="md">
      <NativeSelect
        label={text.app}
        value={scope.app}
        data={[
          // What the address names is seen even where it does not exist.
          ...(app === undefined ? [scope.app] : []),
          ...appChoices(apps),
        ]}
        onChange={({ currentTarget }) => onChange({ app: currentTarget.value, channel: '' })}
      />
      <NativeSelect
        label={text.channel}
        value={scope.channel}
        data={[{ value: '', label: text.allChannels }, ...channels]}
        onChange={({ currentTarget }) => onChange({ channel: currentTarget.value })}
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
