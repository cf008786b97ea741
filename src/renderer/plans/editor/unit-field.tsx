import { TextInput, type TextInputProps } from '@mantine/core'
import { Quiet } from '../../components/text/quiet.tsx'

interface Props extends Pick<TextInputProps, 'label' | 'description' | 'className' | 'mt' | 'maw'> {
  readonly value: string
  /** What the number counts, shown in the field. */
  readonly unit: string
  readonly issue: string | undefined
  readonly onChange: (value: string) => void
}

/** A number with its unit, as it is typed: nothing is corrected on the way. */
export function UnitField({ unit, issue, onChange, ...field }: Props) {
  return (
    <TextInput
      {...field}
      inputMode="decimal"
      autoComplete="off"
      spellCheck={false}
      error={issue}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      rightSection={<Quiet>{unit}</Quiet>}
      rightSectionWidth={unit.length * 8 + 20}
      rightSectionPointerEvents="none"
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
