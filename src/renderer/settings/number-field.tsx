import { NumberInput } from '@mantine/core'
import { type Issues, sentence } from './read-section.ts'
import classes from './settings.module.css'

interface FieldProps {
  readonly label: string
  readonly description?: string
  readonly suffix?: string
  readonly value: number | string
  readonly issue: string | undefined
  readonly onChange: (value: number | string) => void
}

/** A whole number. What is out of bounds is said, not silently corrected. */
export function NumberField({ label, issue, ...rest }: FieldProps) {
  return (
    <NumberInput
      label={label}
      maw={240}
      clampBehavior="none"
      error={sentence(label, issue)}
      {...rest}
    />
  )
}

interface NumberFieldsProps<Name extends string> {
  readonly fields: readonly {
    readonly name: Name
    readonly label: string
    readonly description: string
    readonly suffix?: string
  }[]
  readonly values: Readonly<Record<Name, number | string>>
  readonly issues: Issues
  /** Where the values are in their section, if not directly in it. */
  readonly path?: string
  readonly onChange: (values: Readonly<Record<Name, number | string>>) => void
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
