import { Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { namesOf } from '../../shared/basics/map-each.ts'
import type { FolderKind } from '../../shared/console/settings/settings.ts'
import { shellClient } from '../bridge/clients.ts'
import { PlainButton } from '../components/blocks.tsx'
import { Quiet } from '../components/text/words.tsx'
import { TextField } from '../components/text-fields.tsx'
import type { NumberText } from './number-strings.ts'
import { type Issues, sentence } from './read-section.ts'
import classes from './settings.module.css'
import { text } from './strings.ts'

interface FieldProps extends NumberText {
  /** As it is typed: nothing is corrected on the way. */
  readonly value: string
  readonly issue: string | undefined
  readonly onChange: (value: string) => void
}

/** A whole number. What is no number or out of bounds is reported, not silently corrected. */
export function NumberField({
  label,
  issue,
  unit,
  zero,
  description,
  onChange,
  ...rest
}: FieldProps) {
  return (
    <TextField
      label={label}
      description={zero === undefined ? description : text.orZero(description, zero)}
      maw={280}
      inputMode="numeric"
      error={sentence(label, issue)}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
      {...(unit === undefined
        ? {}
        : {
            rightSection: <Quiet>{unit}</Quiet>,
            rightSectionWidth: 72,
            rightSectionPointerEvents: 'none',
          })}
      onChange={onChange}
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

interface Props {
  readonly label: string
  readonly description?: string
  readonly placeholder?: string
  readonly kind: 'certificate' | 'key' | FolderKind
  readonly value: string
  readonly issue: string | undefined
  readonly onChange: (path: string) => void
  /** Called with whether the path is being typed: it is complete when the field loses focus. */
  readonly onTyping?: (isTyping: boolean) => void
}

/** A path to a file or folder: typed, or chosen in the system's dialog. */
export function PathField({ kind, onChange, onTyping, issue, label, ...rest }: Props) {
  const choose = useMutation({
    mutationFn: () =>
      kind === 'backups' || kind === 'files'
        ? shellClient.shell.chooseFolder.mutate({ kind })
        : shellClient.shell.chooseFile.mutate({ kind }),
    onSuccess: ({ path }) => path !== null && onChange(path),
  })
  return (
    <Group gap="xs" align="end" wrap="nowrap" maw={640}>
      <TextField
        flex={1}
        label={label}
        {...rest}
        error={sentence(label, issue) ?? (choose.error && text.dialogFailed)}
        inputWrapperOrder={['label', 'description', 'error', 'input']}
        onChange={(typed) => {
          onTyping?.(true)
          onChange(typed)
        }}
        onBlur={() => onTyping?.(false)}
      />
      <PlainButton
        loading={choose.isPending}
        aria-label={text.chooseWhat(label)}
        onClick={() => choose.mutate()}
      >
        {text.choose}
      </PlainButton>
    </Group>
  )
}
