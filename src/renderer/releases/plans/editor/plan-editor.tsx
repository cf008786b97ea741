import { Checkbox, Fieldset, Group, NativeSelect, Stack } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { FailureAction, WEEKDAYS } from '../../../../shared/plans/plan.ts'
import { IconButton, SmallButton } from '../../../components/blocks.tsx'
import { SearchableSelect } from '../../../components/list/searchable-select.tsx'
import { TIME_ZONES } from '../../../components/text/time.ts'
import { Quiet } from '../../../components/text/words.tsx'
import { PlainField } from '../../../components/text-fields.tsx'
import { WEEKDAY_NAMES } from '../strings.ts'
import {
  issueAt,
  newWindow,
  type PlanDraft,
  type PlanIssues,
  type WindowDraft,
  withNewStep,
  withStep,
} from './draft.ts'
import classes from './editor.module.css'
import { StepFields, UnitField } from './step-fields.tsx'
import { text } from './strings.ts'

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

interface WindowFieldsProps {
  readonly value: PlanDraft
  readonly issues: PlanIssues
  readonly onChange: (parts: Pick<PlanDraft, 'windows'> | Pick<PlanDraft, 'timeZone'>) => void
}

/** When steps are applied: at any time, or in windows of one time zone. */
function WindowFields({ value, issues, onChange }: WindowFieldsProps) {
  const { windows, timeZone } = value
  const change = (changed: WindowDraft) =>
    onChange({ windows: windows.map((each) => (each.id === changed.id ? changed : each)) })
  return (
    <Fieldset legend={text.windows} variant="unstyled">
      <Stack gap="sm">
        <Quiet>{windows.length === 0 ? text.anyTime : text.inWindows}</Quiet>
        {windows.map((window, index) => (
          <OneWindow
            key={window.id}
            number={index + 1}
            value={window}
            issues={issues}
            onChange={change}
            onRemove={() => onChange({ windows: windows.filter(({ id }) => id !== window.id) })}
          />
        ))}
        {windows.length > 0 && (
          <SearchableSelect
            label={text.timeZone}
            w={280}
            value={timeZone}
            choices={TIME_ZONES}
            error={issueAt(issues, 'timeZone')}
            onChange={(zone) => onChange({ timeZone: zone })}
          />
        )}
        <div>
          <SmallButton
            icon={IconPlus}
            onClick={() => onChange({ windows: [...windows, newWindow()] })}
          >
            {text.addWindow}
          </SmallButton>
        </div>
      </Stack>
    </Fieldset>
  )
}

interface WindowProps {
  readonly number: number
  readonly value: WindowDraft
  readonly issues: PlanIssues
  readonly onChange: (window: WindowDraft) => void
  readonly onRemove: () => void
}

function OneWindow({ number, value, issues, onChange, onRemove }: WindowProps) {
  const path = `windows.${number - 1}`
  return (
    <fieldset aria-label={text.window(number)} className={classes.window}>
      <Checkbox.Group
        label={text.days}
        value={value.days}
        error={issueAt(issues, `${path}.days`)}
        onChange={(chosen) =>
          onChange({ ...value, days: WEEKDAYS.filter((day) => chosen.includes(day)) })
        }
      >
        <Group gap="8px 12px" pt={6}>
          {WEEKDAYS.map((day) => (
            <Checkbox key={day} value={day} label={WEEKDAY_NAMES[day]} />
          ))}
        </Group>
      </Checkbox.Group>
      <PlainField
        label={text.from}
        type="time"
        value={value.from}
        error={issueAt(issues, `${path}.from`)}
        onChange={(typed) => onChange({ ...value, from: typed })}
      />
      <PlainField
        label={text.to}
        type="time"
        value={value.to}
        error={issueAt(issues, `${path}.to`)}
        onChange={(typed) => onChange({ ...value, to: typed })}
      />
      <IconButton
        icon={IconTrash}
        className={classes.remove ?? ''}
        aria-label={text.removeWindow(number)}
        onClick={onRemove}
      />
    </fieldset>
  )
}
