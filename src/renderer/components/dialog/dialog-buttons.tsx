import { Button, Group, Loader } from '@mantine/core'
import { text } from '../strings.ts'

interface Props {
  /** The verb on the button that does it: `Create app`. It submits the form around it. */
  readonly action: string
  /** True for steps that take something away; the button is then red. */
  readonly destructive?: boolean
  readonly pending: boolean
  readonly disabled?: boolean
  readonly onCancel: () => void
}

/** The last row of a dialog's form: out of it, or on. */
export function DialogButtons(props: Props) {
  const { action, destructive = false, pending, disabled = false, onCancel } = props
  return (
    <Group justify="end" gap="xs">
      <Button variant="default" disabled={pending} onClick={onCancel}>
        {text.cancel}
      </Button>
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
