import { Divider, Group, Stack, Text } from '@mantine/core'
import { IconAdjustments } from '@tabler/icons-react'
import { SmallButton } from '../../components/small-button.tsx'
import { type PlanDraft, type PlanIssues, planInForm } from '../editor/draft.ts'
import { PlanEditor } from '../editor/plan-editor.tsx'
import { type PlanAt, PlanSchedule } from '../schedule/plan-schedule.tsx'
import type { ExpectedDevices } from '../schedule/use-expected.ts'
import { type PlanMode, readPlanMode } from './rollout-draft.ts'
import { text } from './strings.ts'

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

const NONE: PlanIssues = new Map()
