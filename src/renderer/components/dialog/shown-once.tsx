import { Button, Group, Stack, Text } from '@mantine/core'
import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { CodeBlock } from '../text/copy-button.tsx'
import { Quiet } from '../text/words.tsx'
import { Dialog, type DialogProps } from './dialog.tsx'
import { StayGuard } from './leave-guard.tsx'

interface OnceProps<Made> extends DialogProps {
  readonly title: string
  /** Returns the title once it is made. */
  readonly titleOf: (made: Made) => string
  readonly size?: 'md' | 'lg'
  /** Asks for it. */
  readonly form: (onMade: (made: Made) => void) => ReactNode
  /** Shows it, and closes the dialog. */
  readonly shown: (made: Made, close: () => void) => ReactNode
}

/** A dialog that makes something and shows it once. Then only a button of what is shown closes it. */
export function OnceDialog<Made>(props: OnceProps<Made>) {
  const { opened, onClose, title, titleOf, size = 'lg', form, shown } = props
  const [made, setMade] = useState<Made>()
  const close = () => {
    onClose()
    setMade(undefined)
  }
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={made === undefined ? title : titleOf(made)}
      closable={made === undefined}
      size={size}
    >
      {made === undefined ? form(setMade) : shown(made, close)}
    </Dialog>
  )
}

interface SecretProps extends Omit<OnceProps<string>, 'titleOf' | 'shown'> {
  readonly words: {
    readonly title: string
    readonly stay: string
    readonly once: string
    readonly label: string
    readonly use: string
    readonly done: string
  }
}

/** The same for a secret. The screen cannot be left before it was copied. */
export function SecretDialog({ words, ...rest }: SecretProps) {
  return (
    <OnceDialog
      {...rest}
      titleOf={() => words.title}
      shown={(secret, close) => (
        <ShownOnce
          stay={words.stay}
          once={<Text size="sm">{words.once}</Text>}
          label={words.label}
          text={secret}
          buttons={(onDone) => <Button onClick={onDone}>{words.done}</Button>}
          onClose={close}
        >
          <Quiet>{words.use}</Quiet>
        </ShownOnce>
      )}
    />
  )
}

interface Props {
  /** Why the screen cannot be left meanwhile. */
  readonly stay: string
  readonly once: ReactNode
  readonly label: string
  readonly text: string
  /** What is said below it. */
  readonly children?: ReactNode
  /** `onDone`: to be called by the one that closes the dialog. */
  readonly buttons: (onDone: (event: MouseEvent) => void) => ReactNode
  readonly onClose: () => void
}

/** The one place where something that was just created is ever shown. */
export function ShownOnce({ stay, once, label, text, children, buttons, onClose }: Props) {
  const root = useRef<HTMLDivElement>(null)
  // Not the button: one more press of the Enter that created it would let it go.
  useEffect(() => root.current?.querySelector<HTMLElement>('section')?.focus(), [])
  const close = ({ detail }: MouseEvent) => {
    // The second click of a double click on the button that created it is no answer either.
    if (detail <= 1) onClose()
  }
  return (
    <Stack ref={root}>
      <StayGuard refusal={stay} />
      {once}
      <CodeBlock title={label} text={text} />
      {children}
      <Group justify="end" gap="xs">
        {buttons(close)}
      </Group>
    </Stack>
  )
}
