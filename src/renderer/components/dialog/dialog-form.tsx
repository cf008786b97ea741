import { Box, Button, Group, Loader, Stack, Text } from '@mantine/core'
import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { ErrorNotice, PlainButton } from '../blocks.tsx'
import { useChange } from '../change/use-change.ts'
import { text as strings, text } from '../strings.ts'
import { TextField } from '../text-fields.tsx'
import { Dialog, type DialogProps, useDialog, useDialogPending } from './dialog.tsx'
import classes from './dialog-form.module.css'
import { focusFirstFault } from './keep-focus.ts'

interface Props {
  /** The verb on the button that does it: `Create app`. */
  readonly action: string
  /** True for steps that take something away; the button is then red. */
  readonly destructive?: boolean
  readonly change: { readonly isPending: boolean; readonly error: unknown }
  /** True while a field shows `change.error`. It has the focus then. */
  readonly isFieldError?: boolean
  /** False while a field has a fault. What is sent then is only which field that is. */
  readonly valid?: boolean
  /** True while the step cannot be asked for at all. */
  readonly disabled?: boolean
  /** What is said while no answer comes. */
  readonly checking?: string
  /** What the way out is called where there is nothing to cancel. */
  readonly wayOut?: string
  /** A button for another step, apart from the others. */
  readonly other?: ReactNode
  readonly onSubmit: () => void
  /** The fields. They show what is missing once `tried` is true. */
  readonly children: ReactNode | ((tried: boolean) => ReactNode)
}

/** The content of a dialog that changes something: its fields, its error, and the way out or on. */
export function DialogForm(props: Props) {
  const { action, destructive = false, change, valid = true, disabled = false, children } = props
  const { isFieldError = false } = props
  const form = useRef<HTMLFormElement>(null)
  const [tried, setTried] = useState(false)
  const { close, isUnanswered } = useDialog()
  useDialogPending(change.isPending)
  useEffect(() => {
    if (isFieldError && form.current !== null) focusFirstFault(form.current)
  }, [isFieldError])
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    // Events bubble through portals: a form around the dialog would be submitted as well.
    event.stopPropagation()
    if (change.isPending || disabled) return
    setTried(true)
    if (valid) props.onSubmit()
    else focusFirstFault(event.currentTarget)
  }
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack>
        {typeof children === 'function' ? children(tried) : children}
        <div className={classes.foot}>
          {!isFieldError && <ErrorNotice error={change.error} />}
          <Text size="sm" aria-live="polite" mb={isUnanswered ? 'xs' : 0}>
            {isUnanswered && (props.checking ?? text.checking)}
          </Text>
          <DialogButtons
            action={action}
            destructive={destructive}
            pending={change.isPending}
            disabled={disabled}
            isUnanswered={isUnanswered}
            wayOut={props.wayOut ?? text.cancel}
            other={props.other}
            onCancel={close}
          />
        </div>
      </Stack>
    </form>
  )
}

interface DialogButtonsProps {
  /** The verb on the button that does it: `Create app`. It submits the form around it. */
  readonly action: string
  /** True for steps that take something away; the button is then red. */
  readonly destructive?: boolean
  readonly pending: boolean
  readonly disabled?: boolean
  readonly isUnanswered: boolean
  readonly wayOut: string
  readonly other: ReactNode
  readonly onCancel: () => void
}

/** The last row of a dialog's form: out of it, or on. */
function DialogButtons(props: DialogButtonsProps) {
  const { action, destructive = false, pending, disabled = false, isUnanswered } = props
  return (
    <Group justify="end" gap="xs">
      {props.other && <Box me="auto">{props.other}</Box>}
      <PlainButton disabled={pending && !isUnanswered} onClick={props.onCancel}>
        {isUnanswered ? text.stopWaiting : props.wayOut}
      </PlainButton>
      <Button
        type="submit"
        {...(destructive ? { color: 'red' } : {})}
        // Not disabled while it works: the focus would fall to the page.
        aria-disabled={pending}
        data-disabled={pending}
        leftSection={pending ? <Loader size={14} color="currentColor" aria-hidden="true" /> : null}
        disabled={disabled && !pending}
      >
        {action}
      </Button>
    </Group>
  )
}

interface ConfirmProps extends DialogProps {
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
export function ConfirmDialog({
  opened,
  onClose,
  title,
  change = NO_CHANGE,
  ...rest
}: ConfirmProps) {
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

interface ChangeProps<Output> extends Omit<ConfirmProps, 'change' | 'onConfirm'> {
  /** Sends the change. */
  readonly send: () => Promise<Output>
  /** What is announced when it is done. */
  readonly done: string | ((output: Output) => string)
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

type ConfirmFormProps = Omit<ConfirmProps, 'opened' | 'title' | 'onClose' | 'change'> & {
  readonly change: NonNullable<ConfirmProps['change']>
}

/** The content of such a dialog, for one that shows something else before. */
export function ConfirmForm({
  destructive = true,
  typed,
  action,
  change,
  ...rest
}: ConfirmFormProps) {
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
