import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { consoleErrorOf, type ErrorCode } from '../bridge/error.ts'

const TITLES: Readonly<Record<ErrorCode, string>> = {
  invalid: 'Something in the form is not valid',
  unknown: 'It is not there any more',
  duplicate: 'It exists already',
  rolled_back: 'This release was rolled back',
  invariant: 'This is not possible now',
  unavailable: 'The server does not answer',
  internal: 'Something went wrong in the server',
}

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
      title={title ?? TITLES[code]}
    >
      <Group justify="space-between" align="start" wrap="nowrap">
        <Text size="sm">{message}</Text>
        {onRetry !== undefined && (
          <Button variant="default" size="xs" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  )
}
