import { Alert, type AlertProps, Group, Stack, Text } from '@mantine/core'
import { type Icon, IconAlertTriangle } from '@tabler/icons-react'
import { consoleErrorOf } from '../bridge/error.ts'
import { errorTitle } from './change/fault.ts'
import { SmallButton } from './small-button.tsx'
import { text } from './strings.ts'

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

interface ErrorNoticeProps {
  /** Whatever a query or a mutation failed with; nothing is shown without. */
  readonly error: unknown
  /** Replaces the title that the error's code gives. */
  readonly title?: string
  readonly onRetry?: () => void
}

/** What went wrong, in words, announced to screen readers; with a button where trying again helps. */
export function ErrorNotice({ error, title, onRetry }: ErrorNoticeProps) {
  if (error === null || error === undefined) return null
  return (
    <Notice color="red" title={errorTitle(error, title)}>
      <Group justify="space-between" align="start" wrap="nowrap">
        <Text size="sm">{consoleErrorOf(error).message}</Text>
        {onRetry !== undefined && <SmallButton onClick={onRetry}>{text.retry}</SmallButton>}
      </Group>
    </Notice>
  )
}
