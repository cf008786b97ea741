import { Button, Group, Stack, Text } from '@mantine/core'
import { type MouseEvent, useEffect, useRef } from 'react'
import { CodeBlock } from '../text/code-block.tsx'

interface Props {
  readonly secret: string
  readonly words: {
    readonly once: string
    readonly label: string
    readonly use: string
    readonly done: string
  }
  readonly onClose: () => void
}

/** The one place where a secret that was just created is ever shown. */
export function ShownSecret({ secret, words, onClose }: Props) {
  const root = useRef<HTMLDivElement>(null)
  // Not the button: one more press of the Enter that created the secret would let it go.
  useEffect(() => root.current?.querySelector<HTMLElement>('[role=region], section')?.focus(), [])
  const close = ({ detail }: MouseEvent) => {
    // The second click of a double click on the button that created the secret is no answer either.
    if (detail <= 1) onClose()
  }
  return (
    <Stack ref={root}>
      <Text size="sm">{words.once}</Text>
      <CodeBlock title={words.label} text={secret} />
      <Text size="sm" c="dimmed">
        {words.use}
      </Text>
      <Group justify="end">
        <Button onClick={close}>{words.done}</Button>
      </Group>
    </Stack>
  )
}
