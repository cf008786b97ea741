import { TextInput } from '@mantine/core'
import { useFieldText } from '../components/list/use-field-text.ts'

interface Props {
  readonly label: string
  /** `2026-03-14`, or nothing. */
  readonly value: string
  readonly min?: string
  readonly max?: string
  readonly onChange: (day: string) => void
}

/** A day to choose or to type. A year that is being typed, which begins as 0002, stays in the field. */
export function DayField({ label, value, min = '', max = '', onChange }: Props) {
  const { text, setText, handOn } = useFieldText(value)
  return (
    <TextInput
      label={label}
      type="date"
      min={min}
      max={max}
      value={text}
      onChange={({ currentTarget }) => {
        const day = currentTarget.value
        setText(day)
        if (day.startsWith('0') || day === value) return
        handOn(day)
        onChange(day)
      }}
    />
  )
}
