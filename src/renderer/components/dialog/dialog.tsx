// biome-ignore lint/style/noRestrictedImports: the one place where a dialog is made
import { Modal } from '@mantine/core'
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { sayChecking, stopWaiting, useIsChecking } from '../../bridge/repeating-link.ts'
import { returnFocus } from './keep-focus.ts'

interface DialogState {
  readonly isPending: boolean
  /** True while it is being found out what became of its change, because no answer came. */
  readonly isUnanswered: boolean
  setPending(isPending: boolean): void
  close(): void
}

const Context = createContext<DialogState | undefined>(undefined)

/** What opens and closes a dialog. */
export interface DialogProps {
  readonly opened: boolean
  readonly onClose: () => void
}

interface Props extends DialogProps {
  readonly title: string
  readonly size?: 'md' | 'lg'
  /** False where only a button of the dialog may close it, as over a secret that is shown once. */
  readonly closable?: boolean
  /** True for one that covers the page and all other dialogs; its content has the heading. */
  readonly isWhole?: boolean
  readonly children: ReactNode
}

/**
 * Every dialog of the console. It cannot be closed while its change is being sent (`useDialogPending`), unless no answer
 * comes: then the wait is ended first. It gives the focus back to what opened it.
 */
export function Dialog(props: Props) {
  const { opened, title, size = 'md', closable = true, isWhole = false, onClose, children } = props
  const [isPending, setPending] = useState(false)
  const isUnanswered = useIsChecking() && isPending
  const mayClose = closable && (!isPending || isUnanswered)
  useEffect(() => (isUnanswered ? sayChecking() : undefined), [isUnanswered])
  const state = useMemo(() => {
    const close = () => {
      if (isUnanswered) stopWaiting()
      else if (!isPending) onClose()
    }
    return { isPending, isUnanswered, setPending, close }
  }, [isPending, isUnanswered, onClose])
  useEffect(() => {
    if (!opened) return
    const before = document.activeElement
    // After the commit that closes it: what opened it may be disabled or gone by then.
    return () => void setTimeout(() => returnFocus(before))
  }, [opened])
  return (
    <Modal
      opened={opened}
      onClose={() => mayClose && state.close()}
      closeOnClickOutside={mayClose}
      closeOnEscape={mayClose}
      withCloseButton={closable}
      closeButtonProps={{ 'aria-label': 'Close', disabled: !mayClose }}
      returnFocus={false}
      // Not the banner of the page: there can be two, one above the other.
      attributes={{
        header: { role: 'presentation' },
        ...(isWhole ? { content: { 'aria-label': title } } : {}),
      }}
      title={isWhole ? undefined : title}
      size={size}
      fullScreen={isWhole}
      // A sheet leaves a part of a narrow window free.
      {...(isWhole ? { styles: { content: { maxHeight: 'none' } } } : {})}
      centered
    >
      <Context value={state}>{children}</Context>
    </Modal>
  )
}

/** Returns the dialog around a component; throws outside of one. */
export function useDialog(): DialogState {
  const dialog = useContext(Context)
  if (dialog === undefined) throw new Error('There is no dialog around this component')
  return dialog
}

/** Keeps the dialog around a component open while `isPending`. */
export function useDialogPending(isPending: boolean): void {
  const { setPending } = useDialog()
  // Before anything else happens: a key that is pressed right after the change was sent must not close the dialog.
  useLayoutEffect(() => {
    setPending(isPending)
    return () => setPending(false)
  }, [isPending, setPending])
}

/**
 * Holds what a dialog is about, which stays while it fades out: undefined until `ask` opens the dialog for the first time.
 * `round` counts those times.
 */
export function useAsked<Thing extends object>(): {
  readonly about: Thing | undefined
  readonly round: number
  readonly ask: (about: Thing) => void
  readonly dialog: DialogProps
} {
  const [{ about, round }, setAsked] = useState<{ about?: Thing; round: number }>({ round: 0 })
  const [opened, setOpened] = useState(false)
  const ask = (next: Thing) => {
    setAsked((last) => ({ about: next, round: last.round + 1 }))
    setOpened(true)
  }
  return { about, round, ask, dialog: { opened, onClose: () => setOpened(false) } }
}

/** The value, or the last one that there was: what a dialog is about while it fades out. */
export function useLast<Value>(value: Value | undefined): Value | undefined {
  const last = useRef(value)
  useEffect(() => {
    if (value !== undefined) last.current = value
  }, [value])
  return value ?? last.current
}
