import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { FAILURE_TITLE } from './strings.ts'

/** Says why a server cannot be connected to; nothing without a sentence. */
export function FailureNotice({ sentence }: { readonly sentence: string | undefined }) {
  if (sentence === undefined) return null
  return (
    <Alert
      role="alert"
      variant="light"
      color="red"
      icon={<IconAlertTriangle aria-hidden="true" />}
      title={FAILURE_TITLE}
    >
      <Text size="sm">{sentence}</Text>
    </Alert>
  )
}
