import { type GateDraft, issueAt, type PlanIssues } from './draft.ts'
import classes from './editor.module.css'
import { text } from './strings.ts'
import { UnitField } from './unit-field.tsx'

interface Props {
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
] as const

/** What has to hold before the next step. What is empty is not asked for. */
export function GateFields({ number, value, issues, path, onChange }: Props) {
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
