import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { ChangesList } from '../audit/changes-list.tsx'
import type { PolicyChange } from './policy.ts'
import { text } from './strings.ts'

interface Props {
  /** Newest first. */
  readonly changes: readonly PolicyChange[]
  readonly onReview: () => void
}

/** Says that a policy changed while its form was open: who changed it, when, from what to what. */
export function PolicyChangedNotice({ changes, onReview }: Props) {
  return (
    <Alert
      role="alert"
      variant="light"
      color="yellow"
      icon={<IconAlertTriangle aria-hidden="true" />}
      title={text.policy.changed}
    >
      <Stack gap="xs" align="start">
        {changes.length > 0 && <ChangesList changes={changes} />}
        <Text size="sm">{text.policy.changedHint}</Text>
        <Button variant="default" size="xs" onClick={onReview}>
          {text.policy.review}
        </Button>
      </Stack>
    </Alert>
  )
}
