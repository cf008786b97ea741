import {
  ActionIcon,
  type ActionIconProps,
  Button,
  type ButtonProps,
  type ElementProps,
} from '@mantine/core'
import type { Icon } from '@tabler/icons-react'

interface Props extends ButtonProps, ElementProps<'button', keyof ButtonProps> {
  /** Before the words. */
  readonly icon?: Icon
}

/** A button in a panel, a table or a notice: a step beside the one that the screen is for. */
export function SmallButton({ icon: Glyph, ...rest }: Props) {
  const glyph = Glyph && { leftSection: <Glyph size={14} aria-hidden="true" /> }
  return <Button variant="default" size="xs" {...glyph} {...rest} />
}

interface TurnButtonProps extends Props {
  /** Whether it leads nowhere: it then keeps the focus, and does nothing. */
  readonly closed: boolean
}

/** A button to another part of a list. */
export function TurnButton({ closed, onClick, ...rest }: TurnButtonProps) {
  return (
    <SmallButton
      {...rest}
      aria-disabled={closed}
      data-disabled={closed}
      onClick={(event) => !closed && onClick?.(event)}
    />
  )
}

interface IconButtonProps extends ActionIconProps, ElementProps<'button', keyof ActionIconProps> {
  readonly icon: Icon
  readonly 'aria-label': string
}

/** A button without words, which its label says. */
export function IconButton({ icon: Glyph, ...rest }: IconButtonProps) {
  return (
    <ActionIcon {...rest}>
      <Glyph size={16} aria-hidden="true" />
    </ActionIcon>
  )
}
