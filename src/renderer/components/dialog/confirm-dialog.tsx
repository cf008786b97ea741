import { Text } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { useChange } from '../change/use-change.ts'
import { text as strings } from '../strings.ts'
import { TextField } from '../text-fields.tsx'
import { Dialog, type DialogProps } from './dialog.tsx'
import { DialogForm } from './dialog-form.tsx'

interface Props extends DialogProps {
  readonly title: string
  /** What it will do, in numbers. */
  readonly children: ReactNode
  /** The verb on the button: `Delete editor`. */
  readonly action: string
  /** False for steps that take nothing away; the button is then not red. */
  readonly destructive?: boolean
  /** A text that has to be typed before the button works. */
  readonly typed?: string
  /** What is said while no answer comes. */
  readonly checking?: string
  /** The change that is sent; left out where confirming sends none. */
  readonly change?: {
    readonly isPending: boolean
    readonly error: unknown
    readonly reset: () => void
  }
  readonly onConfirm: () => void
}

const NO_CHANGE = { isPending: false, error: null, reset: () => {} }

/** Asks once before a step that matters. It stays open while the step runs and shows its refusal. */
export function ConfirmDialog({ opened, onClose, title, change = NO_CHANGE, ...rest }: Props) {
  useFreshChange(opened, change)
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      <ConfirmForm change={change} {...rest} />
    </Dialog>
  )
}

/** Forgets how the last attempt ended when a dialog asks again. */
export function useFreshChange(opened: boolean, { reset }: { readonly reset: () => void }): void {
  useEffect(() => {
    if (opened) reset()
  }, [opened, reset])
}

interface ChangeProps<Output> extends Omit<Props, 'change' | 'onConfirm'> {
  /** Sends the change. */
  readonly send: () => Promise<Output>
  /** What is announced when it is done. */
  readonly done: string
  /** Title of the announcement if it fails after the screen was left. */
  readonly failed: string
  /** What happens on the answer; left out, the dialog closes once the screen shows the change. */
  readonly onAnswer?: () => void
}

/** Asks once before a change, and sends it. */
export function ChangeDialog<Output>(props: ChangeProps<Output>) {
  const { send, done, failed, onAnswer, ...rest } = props
  const onDone = onAnswer === undefined ? rest.onClose : undefined
  const change = useChange(send, { done, failed, onAnswer, onDone })
  return <ConfirmDialog {...rest} change={change} onConfirm={() => change.send(undefined)} />
}

type FormProps = Omit<Props, 'opened' | 'title' | 'onClose' | 'change'> & {
  readonly change: NonNullable<Props['change']>
}

/** The content of such a dialog, for one that shows something else before. */
export function ConfirmForm({ destructive = true, typed, action, change, ...rest }: FormProps) {
  const [text, setText] = useState('')
  return (
    <DialogForm
      action={action}
      destructive={destructive}
      change={change}
      disabled={typed !== undefined && text !== typed}
      {...(rest.checking === undefined ? {} : { checking: rest.checking })}
      onSubmit={rest.onConfirm}
    >
      <Text component="div" size="sm">
        {rest.children}
      </Text>
      {typed !== undefined && (
        <TextField
          label={strings.confirmByTyping(typed)}
          value={text}
          onChange={setText}
          data-autofocus
        />
      )}
    </DialogForm>
  )
}
