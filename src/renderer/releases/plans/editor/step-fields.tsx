import { NativeSelect, TagsInput, type TextInputProps } from '@mantine/core'
import { IconChevronDown, IconChevronRight, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { checksOf } from '../../../../shared/plans/gate-check.ts'
import { boundsInWords, CHECK_LABELS } from '../../../../shared/wording/gate-check.ts'
import { IconButton, PlainButton } from '../../../components/blocks.tsx'
import { Quiet } from '../../../components/text/words.tsx'
import { TextField } from '../../../components/text-fields.tsx'
import { text as planText } from '../strings.ts'
import { type GateDraft, issueAt, type PlanIssues, type StepDraft } from './draft.ts'
import classes from './editor.module.css'
import { text } from './strings.ts'

interface Props {
  /** From 1. */
  readonly number: number
  readonly value: StepDraft
  readonly issues: PlanIssues
  /** Left out for the last step, after which none comes. */
  readonly isLast: boolean
  readonly onChange: (step: StepDraft) => void
  /** Left out for the only step. */
  readonly onRemove: (() => void) | undefined
}

const KINDS = [
  { value: 'rollout', label: text.kinds.rollout },
  { value: 'ring', label: text.kinds.ring },
] as const

/** One step: whom it reaches, how long it is watched, and on demand what has to hold before the next. */
export function StepFields({ number, value, issues, isLast, onChange, onRemove }: Props) {
  const path = `steps.${number - 1}`
  const checks = checksOf(value.checks).filter((name) => name !== 'crashFree')
  const typed = Object.values(value.gate).filter((field) => field !== '')
  const asked = typed.length + checks.length
  const [isOpen, setOpen] = useState(asked > 0)
  const showsGate = isOpen || issueAt(issues, `${path}.gate`) !== undefined
  const Chevron = showsGate ? IconChevronDown : IconChevronRight
  return (
    <>
      <div className={classes.step}>
        <NativeSelect
          label={text.offerTo}
          data={KINDS}
          value={value.kind}
          onChange={({ currentTarget }) =>
            onChange({ ...value, kind: currentTarget.value === 'ring' ? 'ring' : 'rollout' })
          }
        />
        {value.kind === 'ring' ? (
          <TagsInput
            label={text.rings}
            description={planText.ringHint}
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            placeholder={value.rings.length === 0 ? text.ringExample : ''}
            value={[...value.rings]}
            splitChars={[',', ' ']}
            error={issueAt(issues, `${path}.ring`)}
            onChange={(rings) => onChange({ ...value, rings })}
          />
        ) : (
          <UnitField
            label={text.percentage}
            unit={text.percent}
            value={value.rolloutPct}
            issue={issueAt(issues, `${path}.rolloutPct`)}
            onChange={(rolloutPct) => onChange({ ...value, rolloutPct })}
          />
        )}
        <UnitField
          label={text.wait}
          unit={text.hours}
          value={value.soakHours}
          issue={issueAt(issues, `${path}.soakHours`)}
          onChange={(soakHours) => onChange({ ...value, soakHours })}
        />
        {onRemove !== undefined && (
          <IconButton
            icon={IconTrash}
            hasTooltip
            className={classes.remove ?? ''}
            aria-label={text.removeStep(number)}
            onClick={onRemove}
          />
        )}
      </div>
      {!isLast && (
        <>
          <PlainButton
            variant="subtle"
            size="compact-xs"
            mt={4}
            aria-expanded={showsGate}
            icon={Chevron}
            onClick={() => setOpen(!showsGate)}
          >
            {text.conditions(asked)}
          </PlainButton>
          {showsGate && (
            <GateFields
              number={number}
              value={value.gate}
              issues={issues}
              path={`${path}.gate`}
              onChange={(gate) => onChange({ ...value, gate })}
            />
          )}
          {showsGate && checks.length > 0 && (
            <Quiet mt={8}>
              {checks
                .map((name) => `${CHECK_LABELS[name]}: ${boundsInWords(value.checks, name)}.`)
                .join(' ')}{' '}
              {text.checksInFile}
            </Quiet>
          )}
        </>
      )}
    </>
  )
}

interface GateFieldsProps {
  /** Of the step, from 1. */
  readonly number: number
  readonly value: GateDraft
  readonly issues: PlanIssues
  /** Where the gate is in the plan. */
  readonly path: string
  readonly onChange: (gate: GateDraft) => void
}

const FIELDS = [
  {
    name: 'minAdoptedPct',
    label: text.minAdopted,
    description: text.minAdoptedHint,
    unit: text.percent,
  },
  {
    name: 'maxFailedPct',
    label: text.maxFailed,
    description: text.maxFailedHint,
    unit: text.percent,
  },
  {
    name: 'minSample',
    label: text.minSample,
    description: text.minSampleHint,
    unit: text.devices,
  },
  {
    name: 'crashFree',
    label: text.crashFree,
    description: text.crashFreeHint,
    unit: text.percent,
  },
] as const

/** What has to hold before the next step. What is empty is not asked for. */
function GateFields({ number, value, issues, path, onChange }: GateFieldsProps) {
  return (
    <fieldset aria-label={text.conditionsOf(number)} className={classes.gate}>
      {FIELDS.map(({ name, ...field }) => (
        <UnitField
          key={name}
          {...field}
          value={value[name]}
          issue={issueAt(issues, `${path}.${name}`)}
          onChange={(typed) => onChange({ ...value, [name]: typed })}
        />
      ))}
    </fieldset>
  )
}

interface UnitFieldProps
  extends Pick<TextInputProps, 'label' | 'description' | 'className' | 'mt' | 'maw'> {
  readonly value: string
  /** What the number counts, shown in the field. */
  readonly unit: string
  readonly issue: string | undefined
  readonly onChange: (value: string) => void
}

/** A number with its unit, as it is typed: nothing is corrected on the way. */
export function UnitField({ unit, issue, onChange, ...field }: UnitFieldProps) {
  return (
    <TextField
      {...field}
      inputMode="decimal"
      error={issue}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      rightSection={<Quiet>{unit}</Quiet>}
      rightSectionWidth={unit.length * 8 + 20}
      rightSectionPointerEvents="none"
      onChange={onChange}
    />
  )
}
