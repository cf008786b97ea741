import { Button, Group, Stack, Text } from '@mantine/core'
import { CodeBlock } from '../components/code-block.tsx'

interface Props {
  readonly secret: string
  readonly onClose: () => void
}

/** The one place where a key is ever shown. */
export function MintedSecret({ secret, onClose }: Props) {
  return (
    <Stack>
      <Text size="sm">
        This is the only time that the key is shown. Tidegate keeps a hash of it, not the key.
      </Text>
      <CodeBlock title="API key" text={secret} />
      <Text size="sm" c="dimmed">
        Send it with each call in the header Authorization: Bearer, followed by the key.
      </Text>
      <Group justify="end">
        <Button onClick={onClose} data-autofocus>
          I have copied it
        </Button>
      </Group>
    </Stack>
  )
}
