import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import { text } from './strings.ts'

interface Props {
  /** Rows that the screen will have about; the layout does not jump when they come. */
  readonly rows?: number
  /** Height of a row in pixels. */
  readonly height?: number
}

/** Stands where a list or a table will be. */
export function Loading({ rows = 5, height = 40 }: Props) {
  return (
    <Stack gap="xs" aria-busy="true">
      <VisuallyHidden role="status">{text.loading}</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
        <Skeleton key={row} height={height} />
      ))}
    </Stack>
  )
}
