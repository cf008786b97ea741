import { Button, Group, Stack } from '@mantine/core'
import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react'
import { useServerState } from '../bridge/server-state.tsx'
import { ErrorNotice, Panel, PlainButton } from '../components/blocks.tsx'
import { LeaveGuard } from '../components/dialog/leave-guard.tsx'
import { Quiet } from '../components/text/words.tsx'
import { text } from './strings.ts'

interface Props {
  readonly title: string
  readonly unsaved: boolean
  readonly pending: boolean
  readonly error: unknown
  readonly submit: (form: HTMLFormElement) => void
  readonly discard: () => void
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
          props.submit(event.currentTarget)
        }}
      >
        <Stack gap="md">
          {children}
          <ErrorNotice error={props.error} title={text.notSaved} />
          <Group justify="space-between" gap="md" mih={36}>
            <Quiet role="status" flex={1} miw={240}>
              {unsaved && (running ? text.unsavedRunning : text.unsaved)}
            </Quiet>
            <Group gap="xs">
              {unsaved && <PlainButton onClick={props.discard}>{text.discard}</PlainButton>}
              <Button
                type="submit"
                variant={unsaved ? 'filled' : 'default'}
                loading={pending}
                disabled={!unsaved}
              >
                {running ? text.saveRunning : text.saveStopped}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Panel>
  )
}

type Note = (section: string, unsaved: boolean) => void

const Context = createContext<Note>(() => {})

/** Tells the guard around the screen whether this section holds what is not saved. */
export function useUnsaved(section: string, unsaved: boolean): void {
  const note = useContext(Context)
  useEffect(() => {
    note(section, unsaved)
    return () => note(section, false)
  }, [note, section, unsaved])
}

/** Asks before another screen is opened, or the window closes, while a section is not saved. */
export function UnsavedGuard({ children }: { readonly children: ReactNode }) {
  const sections = useRef(new Set<string>())
  const note = useRef<Note>((section, unsaved) => {
    if (unsaved) sections.current.add(section)
    else sections.current.delete(section)
  })
  return (
    <Context value={note.current}>
      {children}
      <LeaveGuard
        wouldLose={() => sections.current.size > 0}
        title={text.leaveTitle}
        action={text.discard}
      >
        {text.leave}
      </LeaveGuard>
    </Context>
  )
}
