import { Modal, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import { DialogButtons } from './dialog-buttons.tsx'
import { ErrorNotice } from './error-notice.tsx'
import { keepFocus } from './keep-focus.ts'

interface Props {
  readonly opened: boolean
  readonly title: string
  /** What it will do, in numbers. */
  readonly children: ReactNode
  /** The verb on the button: `Delete editor`. */
  readonly action: string
  /** False for steps that take nothing away; the button is then not red. */
  readonly destructive?: boolean
  /** A text that has to be typed before the button works. */
  readonly typed?: string
  readonly pending?: boolean
  readonly error?: unknown
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks once before a step that matters. It stays open while the step runs and shows its refusal. */
export function ConfirmDialog({ opened, onClose, title, ...rest }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} onExitTransitionEnd={keepFocus} title={title} centered>
      <ConfirmForm onClose={onClose} {...rest} />
    </Modal>
  )
}

function ConfirmForm(props: Omit<Props, 'opened' | 'title'>) {
  const { destructive = true, typed, pending = false, action, onClose } = props
  const [text, setText] = useState('')
  const confirm = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    // Events bubble through portals: a form around the dialog would be submitted as well.
    event.stopPropagation()
    props.onConfirm()
  }
  return (
    <form onSubmit={confirm}>
      <Stack>
        <Text component="div" size="sm">
          {props.children}
        </Text>
        {typed !== undefined && (
          <TextInput
            label={`Type ${typed} to confirm`}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
          />
        )}
        <ErrorNotice error={props.error} />
        <DialogButtons
          action={action}
          destructive={destructive}
          pending={pending}
          disabled={typed !== undefined && text !== typed}
          onCancel={onClose}
        />
      </Stack>
    </form>
  )
}
