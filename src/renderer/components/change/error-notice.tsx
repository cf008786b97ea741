import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { consoleErrorOf } from '../../bridge/error.ts'
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
    <Alert
      role="alert"
      variant="light"
      color="red"
      icon={<IconAlertTriangle aria-hidden="true" />}
      title={title ?? ERROR_TITLES[code]}
    >
      <Group justify="space-between" align="start" wrap="nowrap">
        <Text size="sm">{message}</Text>
        {onRetry !== undefined && (
          <Button variant="default" size="xs" onClick={onRetry}>
            {text.retry}
          </Button>
        )}
      </Group>
    </Alert>
  )
}
