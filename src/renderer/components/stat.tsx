import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props {
  readonly label: string
  readonly value: ReactNode
  /** What the number means, in a few words under it. */
  readonly hint?: ReactNode
}

/** One number with its name. Goes into a `<dl>`. */
export function Stat({ label, value, hint }: Props) {
  return (
    <div>
      <Text component="dt" size="xs" c="dimmed">
        {label}
      </Text>
      <Text component="dd" m={0} fz={20} fw={600} lh="28px">
        {value}
      </Text>
      {hint !== undefined && (
        <Text component="dd" m={0} size="xs" c="dimmed">
          {hint}
        </Text>
      )}
    </div>
  )
}
