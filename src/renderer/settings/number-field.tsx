import { TextInput } from '@mantine/core'
import { namesOf } from '../../shared/map-each.ts'
import { Quiet } from '../components/text/quiet.tsx'
import type { NumberText } from './number-strings.ts'
import { type Issues, sentence } from './read-section.ts'
import classes from './settings.module.css'

interface FieldProps extends NumberText {
  /** As it is typed: nothing is corrected on the way. */
  readonly value: string
  readonly issue: string | undefined
  readonly onChange: (value: string) => void
}

/** A whole number. What is no number or out of bounds is reported, not silently corrected. */
export function NumberField({ label, issue, unit, onChange, ...rest }: FieldProps) {
  return (
    <TextInput
      label={label}
      maw={280}
      inputMode="numeric"
      autoComplete="off"
      spellCheck={false}
      error={sentence(label, issue)}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
      {...(unit === undefined
        ? {}
        : {
            rightSection: <Quiet>{unit}</Quiet>,
            rightSectionWidth: 72,
            rightSectionPointerEvents: 'none',
          })}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...rest}
    />
  )
}

interface NumberFieldsProps<Name extends string> {
  /** In the order in which they are shown. */
  readonly fields: Readonly<Record<Name, NumberText>>
  readonly values: Readonly<Record<Name, string>>
  readonly issues: Issues
  /** Where the values are in their section, if not directly in it. */
  readonly path?: string
  readonly onChange: (values: Readonly<Record<Name, string>>) => void
}

/** Whole numbers that belong together, in a row. */
export function NumberFields<Name extends string>(props: NumberFieldsProps<Name>) {
  const { fields, values, issues, path, onChange } = props
  return (
    <div className={classes.row}>
      {namesOf(fields).map((name) => (
        <NumberField
          key={name}
          {...fields[name]}
          value={values[name]}
          issue={issues.get(path === undefined ? name : `${path}.${name}`)}
          onChange={(value) => onChange({ ...values, [name]: value })}
        />
      ))}
    </div>
  )
}
