import { Fieldset, NativeSelect, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { FailureAction } from '../../../../shared/plans/plan.ts'
import { SmallButton } from '../../../components/small-button.tsx'
import { issueAt, type PlanDraft, type PlanIssues, withNewStep, withStep } from './draft.ts'
import classes from './editor.module.css'
import { StepFields, UnitField } from './step-fields.tsx'
import { text } from './strings.ts'
import { WindowFields } from './window-fields.tsx'

interface Props {
  readonly value: PlanDraft
  readonly issues: PlanIssues
  readonly onChange: (draft: PlanDraft) => void
}

const ACTIONS = FailureAction.options.map((value) => ({ value, label: text.actions[value] }))

/** Everything that a plan is: its steps, when they are applied, and what is done when devices fail. */
export function PlanEditor({ value, issues, onChange }: Props) {
  const change = (parts: Partial<PlanDraft>) => onChange({ ...value, ...parts })
  const { steps } = value
  return (
    <Stack gap="lg">
      <Fieldset legend={text.steps} variant="unstyled">
        <ol className={`plain-list ${classes.steps}`}>
          {steps.map((step, index) => (
            <li key={step.id} aria-label={text.step(index + 1)}>
              <StepFields
                number={index + 1}
                value={step}
                issues={issues}
                isLast={index === steps.length - 1}
                onChange={(changed) => onChange(withStep(value, changed))}
                onRemove={
                  steps.length === 1
                    ? undefined
                    : () => change({ steps: steps.filter(({ id }) => id !== step.id) })
                }
              />
            </li>
          ))}
        </ol>
        <SmallButton mt="sm" icon={IconPlus} onClick={() => onChange(withNewStep(value))}>
          {text.addStep}
        </SmallButton>
        <UnitField
          mt="sm"
          maw={280}
          label={text.holdout}
          description={text.holdoutHint}
          unit={text.percent}
          value={value.holdoutPct}
          issue={issueAt(issues, 'holdoutPct')}
          onChange={(holdoutPct) => change({ holdoutPct })}
        />
      </Fieldset>
      <WindowFields value={value} issues={issues} onChange={change} />
      <Fieldset legend={text.failure} variant="unstyled">
        <div className={classes.gate}>
          <UnitField
            label={text.stopAbove}
            description={text.stopAboveHint}
            unit={text.percent}
            value={value.maxFailedPct}
            issue={issueAt(issues, 'maxFailedPct')}
            onChange={(maxFailedPct) => change({ maxFailedPct })}
          />
          <UnitField
            label={text.stopSample}
            description={text.stopSampleHint}
            unit={text.devices}
            value={value.minSample}
            issue={issueAt(issues, 'minSample')}
            onChange={(minSample) => change({ minSample })}
          />
          <NativeSelect
            label={text.action}
            data={ACTIONS}
            value={value.onFailure}
            onChange={({ currentTarget }) =>
              change({ onFailure: FailureAction.catch('pause').parse(currentTarget.value) })
            }
          />
        </div>
      </Fieldset>
    </Stack>
  )
}
