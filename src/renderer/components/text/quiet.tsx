import { Text, type TextProps } from '@mantine/core'
import type { PropsWithChildren } from 'react'

/** Words that explain others, in the quiet color. */
export function Quiet(props: PropsWithChildren<TextProps>) {
  return <Text size="sm" c="dimmed" {...props} />
}

/** The same as small print, below what it is about. */
export function Small(props: PropsWithChildren<TextProps>) {
  return <Text size="xs" c="dimmed" {...props} />
}
