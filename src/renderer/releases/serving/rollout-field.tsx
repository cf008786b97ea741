import { Button, Group, Slider, Stack, Text } from '@mantine/core'
import { memo } from 'react'
import { formatPercent } from '../../../shared/wording/format.ts'
import { text } from './strings.ts'

const PRESETS = [1, 5, 10, 25, 50, 100]
const MARKS = [0, 25, 50, 75, 100].map((value) => ({ value, label: `${value}` }))

interface Props {
  readonly value: number
  readonly onChange: (pct: number) => void
  /** Lowest percentage that is allowed. */
  readonly lowest?: number
}

/** Share of devices in the rollout: a slider for any value, buttons for the usual ones. */
export const RolloutField = memo(function RolloutField({ value, onChange, lowest = 0 }: Props) {
  return (
    <Stack gap="xs">
      <Group gap="md" wrap="nowrap" align="start">
        <Slider
          flex={1}
          mb="lg"
          min={0}
          max={100}
          domain={[0, 100]}
          value={value}
          marks={MARKS}
          label={formatPercent}
          thumbLabel={text.rolloutLabel}
          thumbValueText={formatPercent}
          onChange={(pct) => onChange(Math.max(pct, lowest))}
        />
        <Text miw={56} fz={20} fw={600} lh="20px" ta="end" aria-hidden="true">
          {formatPercent(value)}
        </Text>
      </Group>
      <Group gap="xs" role="group" aria-label={text.presets}>
        {PRESETS.map((pct) => (
          <Button
            key={pct}
            size="compact-sm"
            variant={pct === value ? 'light' : 'default'}
            aria-pressed={pct === value}
            disabled={pct < lowest}
            onClick={() => onChange(pct)}
          >
            {formatPercent(pct)}
          </Button>
        ))}
      </Group>
    </Stack>
  )
})
