import { NumberInput } from '@mantine/core'
import { sentence } from './read-section.ts'

interface Props {
  readonly label: string
  readonly description?: string
  readonly suffix?: string
  readonly value: number | string
  readonly issue: string | undefined
  readonly onChange: (value: number | string) => void
}

/** A whole number. What is out of bounds is said, not silently mended. */
export function NumberField({ label, issue, ...rest }: Props) {
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
