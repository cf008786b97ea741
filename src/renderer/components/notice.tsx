import { Alert, type AlertProps, Stack } from '@mantine/core'
import { type Icon, IconAlertTriangle } from '@tabler/icons-react'
import { SmallButton } from './small-button.tsx'

interface Props extends Omit<AlertProps, 'icon' | 'variant'> {
  readonly icon?: Icon
  /** Announced when there is nothing else to say; left out, at once. */
  readonly role?: 'status'
  /** A button below the words. */
  readonly action?: { readonly name: string; readonly onClick: () => void } | false
}

/** What a person has to know before they go on. A warning unless it has another color. */
export function Notice({ icon: Glyph = IconAlertTriangle, action, children, ...rest }: Props) {
  return (
    <Alert variant="light" color="yellow" icon={<Glyph aria-hidden="true" />} {...rest}>
      {action === undefined ? (
        children
      ) : (
        <Stack gap="xs" align="start">
          {children}
          {action !== false && <SmallButton onClick={action.onClick}>{action.name}</SmallButton>}
        </Stack>
      )}
    </Alert>
  )
}
