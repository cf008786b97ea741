import { Alert, Button, Group, Text } from '@mantine/core'
import { IconHourglass } from '@tabler/icons-react'
import { text } from './strings.ts'

/** Says that an answer takes long, with a button that asks again. */
export function SlowNotice({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <Alert
      role="status"
      variant="light"
      color="gray"
      mb="md"
      icon={<IconHourglass aria-hidden="true" />}
    >
      <Group justify="space-between" align="start" wrap="nowrap">
        <Text size="sm">{text.slow}</Text>
        <Button variant="default" size="xs" onClick={onRetry}>
          {text.retry}
        </Button>
      </Group>
    </Alert>
  )
}
