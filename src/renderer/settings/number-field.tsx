import { TextInput } from '@mantine/core'
import { Quiet } from '../components/text/quiet.tsx'
import { type Issues, sentence } from './read-section.ts'
import classes from './settings.module.css'

interface FieldProps {
  readonly label: string
  readonly description?: string
  /** What the number counts, shown in the field. */
  readonly unit?: string
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
  readonly fields: readonly {
    readonly name: Name
    readonly label: string
    readonly description: string
    readonly unit?: string
  }[]
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
      {fields.map(({ name, ...field }) => (
        <NumberField
          key={name}
          {...field}
          value={values[name]}
          issue={issues.get(path === undefined ? name : `${path}.${name}`)}
          onChange={(value) => onChange({ ...values, [name]: value })}
        />
      ))}
    </div>
  )
}
