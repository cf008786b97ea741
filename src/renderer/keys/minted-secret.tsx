import { Button, Group, Stack, Text } from '@mantine/core'
import { type MouseEvent, useEffect, useRef } from 'react'
import { CodeBlock } from '../components/text/code-block.tsx'
import { text } from './strings.ts'

interface Props {
  readonly secret: string
  readonly onClose: () => void
}

/** The one place where a key is ever shown. */
export function MintedSecret({ secret, onClose }: Props) {
  const root = useRef<HTMLDivElement>(null)
  // Not the button: one more press of the Enter that created the key would let it go.
  useEffect(() => root.current?.querySelector<HTMLElement>('[role=region], section')?.focus(), [])
  const close = ({ detail }: MouseEvent) => {
    // The second click of a double click on the button that created the key is no answer either.
    if (detail <= 1) onClose()
  }
  return (
    <Stack ref={root}>
      <Text size="sm">{text.secret.once}</Text>
      <CodeBlock title={text.secret.key} text={secret} />
      <Text size="sm" c="dimmed">
        {text.secret.use}
      </Text>
      <Group justify="end">
        <Button onClick={close}>{text.secret.done}</Button>
      </Group>
    </Stack>
  )
}
