import { Group, Text } from '@mantine/core'
import { consoleErrorOf } from '../../bridge/error.ts'
import { Notice } from '../notice.tsx'
import { SmallButton } from '../small-button.tsx'
import { ERROR_TITLES, text } from '../strings.ts'

interface Props {
  /** Whatever a query or a mutation failed with; nothing is shown without. */
  readonly error: unknown
  /** Replaces the title that the error's code gives. */
  readonly title?: string
  readonly onRetry?: () => void
}

/** What went wrong, in words, announced to screen readers; with a button where trying again helps. */
export function ErrorNotice({ error, title, onRetry }: Props) {
  if (error === null || error === undefined) return null
  const { code, message } = consoleErrorOf(error)
  return (
    <Notice color="red" title={title ?? ERROR_TITLES[code]}>
      <Group justify="space-between" align="start" wrap="nowrap">
        <Text size="sm">{message}</Text>
        {onRetry !== undefined && <SmallButton onClick={onRetry}>{text.retry}</SmallButton>}
      </Group>
    </Notice>
  )
}
