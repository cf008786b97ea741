import { Divider, Stack } from '@mantine/core'
import { memo } from 'react'
import { Quiet } from '../../components/text/quiet.tsx'
import { RolloutField } from '../../releases/serving/rollout-field.tsx'
import type { PlanAt } from '../schedule/plan-schedule.tsx'
import type { ExpectedDevices } from '../schedule/use-expected.ts'
import { ModeChoice } from './mode-choice.tsx'
import { PlanFields } from './plan-fields.tsx'
import { isPlanMode, ROLLOUT_MODES, type RolloutDraft, usualMode } from './rollout-draft.ts'
import { text } from './strings.ts'

interface Props {
  readonly value: RolloutDraft
  /** Known devices of the channel; undefined if that is not known. */
  readonly devices: number | undefined
  readonly at: PlanAt
  /** Devices that the steps of its plan reach. */
  readonly expected: ExpectedDevices | undefined
  readonly showIssues: boolean
  readonly onChange: (rollout: RolloutDraft) => void
}

/** How a release is rolled out: by a plan unless somebody chooses otherwise. */
export const RolloutChoice = memo(function RolloutChoice(props: Props) {
  const { value, devices, at, expected, showIssues, onChange } = props
  const usual = usualMode(devices)
  const mode = value.mode ?? usual
  return (
    <Stack gap="md">
      <ModeChoice
        modes={ROLLOUT_MODES}
        value={mode}
        recommended={usual}
        onChange={(chosen) => onChange({ ...value, mode: chosen })}
      />
      {mode === 'everyone' && devices === 0 && <Quiet>{text.noDevices}</Quiet>}
      {mode !== 'everyone' && <Divider />}
      {mode === 'manual' && (
        <RolloutField
          value={value.rolloutPct}
          onChange={(rolloutPct) => onChange({ ...value, rolloutPct })}
        />
      )}
      {isPlanMode(mode) && (
        <PlanFields
          mode={mode}
          custom={value.custom}
          showIssues={showIssues}
          at={at}
          expected={expected}
          onChange={(chosen, custom) => onChange({ ...value, mode: chosen, custom })}
        />
      )}
    </Stack>
  )
})
