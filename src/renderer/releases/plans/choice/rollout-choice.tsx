import { Badge, Divider, Group, Radio, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconAdjustments } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import type { PlanPreset } from '../../../../shared/plans/plan-presets.ts'
import { server } from '../../../bridge/clients.ts'
import { SmallButton } from '../../../components/blocks.tsx'
import { RolloutField } from '../../serving/rollout-field.tsx'
import { type PlanDraft, type PlanIssues, planInForm } from '../editor/draft.ts'
import { PlanEditor } from '../editor/plan-editor.tsx'
import { type ExpectedDevices, type PlanAt, PlanSchedule } from '../schedule/plan-schedule.tsx'
import { MODE_WORDS, choiceText as text } from '../strings.ts'
import {
  isPlanMode,
  type PlanMode,
  ROLLOUT_MODES,
  type RolloutDraft,
  type RolloutMode,
  readPlanMode,
  USUAL_MODE,
} from './rollout-draft.ts'

interface Props {
  readonly mode: PlanMode
  readonly custom: PlanDraft
  /** Shown beside the fields. */
  readonly showIssues: boolean
  readonly at: PlanAt
  /** See `PlanSchedule`. */
  readonly expected?: ExpectedDevices | undefined
  readonly onChange: (mode: PlanMode, custom: PlanDraft) => void
}

/** A plan laid over the calendar; a custom one with its fields. */
export function PlanFields({ mode, custom, showIssues, at, expected, onChange }: Props) {
  const read = readPlanMode(mode, custom)
  return (
    <Stack gap="md">
      {mode === 'custom' && (
        <>
          <PlanEditor
            value={custom}
            issues={showIssues && !read.ok ? read.issues : NONE}
            onChange={(draft) => onChange(mode, draft)}
          />
          <Divider />
        </>
      )}
      {read.ok && read.plan.steps.some((step) => 'ring' in step) && (
        <Text size="sm">{text.ringsNeedEarlyAccess}</Text>
      )}
      {read.ok && <PlanSchedule at={at} plan={read.plan} expected={expected} />}
      {read.ok && mode !== 'custom' && (
        <Group>
          <SmallButton
            icon={IconAdjustments}
            onClick={() => onChange('custom', planInForm(read.plan))}
          >
            {text.customize}
          </SmallButton>
        </Group>
      )}
    </Stack>
  )
}

/** Returns the preset that suits the devices of a channel; the usual one until it is known. */
export function useRecommended(app: string, channel: string): PlanPreset {
  const query = useQuery({
    ...server.plans.recommended.queryOptions({ app, channel }),
    enabled: app !== '' && channel !== '',
    retry: false,
  })
  return query.data ?? USUAL_MODE
}

const NONE: PlanIssues = new Map()

interface RolloutChoiceProps {
  readonly value: RolloutDraft
  readonly recommended: RolloutMode
  readonly at: PlanAt
  /** Devices that the steps of its plan reach. */
  readonly expected: ExpectedDevices | undefined
  readonly showIssues: boolean
  readonly onChange: (rollout: RolloutDraft) => void
}

/** How a release is rolled out: by a plan unless somebody chooses otherwise. */
export const RolloutChoice = memo(function RolloutChoice(props: RolloutChoiceProps) {
  const { value, recommended, at, expected, showIssues, onChange } = props
  const { mode } = value
  const choose = (parts: Partial<RolloutDraft>) => onChange({ ...value, ...parts, isChosen: true })
  return (
    <Stack gap="md">
      <ModeChoice
        modes={ROLLOUT_MODES}
        value={mode}
        recommended={recommended}
        onChange={(chosen) => choose({ mode: chosen })}
      />
      {mode !== 'everyone' && <Divider />}
      {mode === 'manual' && (
        <RolloutField value={value.rolloutPct} onChange={(rolloutPct) => choose({ rolloutPct })} />
      )}
      {isPlanMode(mode) && (
        <PlanFields
          mode={mode}
          custom={value.custom}
          showIssues={showIssues}
          at={at}
          expected={expected}
          onChange={(chosen, custom) => choose({ mode: chosen, custom })}
        />
      )}
    </Stack>
  )
})

interface ModeChoiceProps<Mode extends RolloutMode> {
  readonly modes: readonly Mode[]
  readonly value: Mode
  /** The one that is marked as such. */
  readonly recommended?: RolloutMode | undefined
  readonly onChange: (mode: Mode) => void
}

/** A few ways to roll a release out, with what each means. */
export function ModeChoice<Mode extends RolloutMode>(props: ModeChoiceProps<Mode>) {
  const { modes, value, recommended, onChange } = props
  return (
    <Radio.Group
      label={text.modes}
      value={value}
      onChange={(chosen) => {
        const mode = modes.find((each) => each === chosen)
        if (mode !== undefined) onChange(mode)
      }}
    >
      <SimpleGrid minColWidth={300} spacing="lg" verticalSpacing="sm" mt={8}>
        {modes.map((mode) => (
          <Radio
            key={mode}
            value={mode}
            label={
              <Group component="span" gap={8}>
                {MODE_WORDS[mode].name}
                {mode === recommended && (
                  <Badge component="span" size="sm" variant="light" tt="none">
                    {text.recommended}
                  </Badge>
                )}
              </Group>
            }
            description={MODE_WORDS[mode].meaning}
          />
        ))}
      </SimpleGrid>
    </Radio.Group>
  )
}
