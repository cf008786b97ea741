import { Button, Group } from '@mantine/core'

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
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Button
        type="submit"
        {...(destructive ? { color: 'red' } : {})}
        loading={pending}
        disabled={disabled}
      >
        {action}
      </Button>
    </Group>
  )
}
