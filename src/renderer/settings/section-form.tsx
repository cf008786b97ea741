import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useServerState } from '../bridge/server-state.tsx'
import { ErrorNotice } from '../components/error-notice.tsx'
import { Panel } from '../components/panel.tsx'

interface Props {
  readonly title: string
  readonly unsaved: boolean
  readonly pending: boolean
  readonly error: unknown
  readonly onSubmit: (form: HTMLFormElement) => void
  readonly onDiscard: () => void
  readonly children: ReactNode
}

/** A panel of settings that are saved together, and says what saving does. */
export function SectionForm(props: Props) {
  const { title, unsaved, pending, children } = props
  const running = useServerState().state === 'running'
  return (
    <Panel title={title}>
      <form
        noValidate
        aria-label={title}
        onSubmit={(event) => {
          event.preventDefault()
          props.onSubmit(event.currentTarget)
        }}
      >
        <Stack gap="md">
          {children}
          <ErrorNotice error={props.error} title="The settings could not be saved" />
          <Group justify="space-between" gap="md" mih={36}>
            <Text size="sm" c="dimmed" role="status" flex={1} miw={240}>
              {unsaved &&
                (running
                  ? 'Not saved yet. The restart takes a moment; open requests finish first.'
                  : 'Not saved yet.')}
            </Text>
            <Group gap="xs">
              {unsaved && (
                <Button variant="default" onClick={props.onDiscard}>
                  Discard
                </Button>
              )}
              <Button
                type="submit"
                variant={unsaved ? 'filled' : 'default'}
                loading={pending}
                disabled={!unsaved}
              >
                {running ? 'Save and restart the server' : 'Save and start the server'}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Panel>
  )
}
