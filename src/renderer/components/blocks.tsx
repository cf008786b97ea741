import {
  ActionIcon,
  type ActionIconProps,
  Alert,
  type AlertProps,
  Button,
  type ButtonProps,
  type ElementProps,
  Group,
  Stack,
  Text,
  Title,
  Tooltip,
} from '@mantine/core'
import { type Icon, IconAlertTriangle } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import { Link, type LinkProps } from 'react-router'
import { consoleErrorOf } from '../bridge/error.ts'
import { errorTitle } from './change/fault.ts'
import classes from './components.module.css'
import { text } from './strings.ts'

interface PanelProps {
  readonly title: ReactNode
  /** Small print beside the title. */
  readonly aside?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
  /** Leaves out the padding around the content, for tables that go from edge to edge. */
  readonly flush?: boolean
}

/** A part of a screen with a heading of its own. Panels do not go into panels. */
export function Panel({ title, aside, actions, children, flush = false }: PanelProps) {
  const id = useId()
  return (
    <section className={classes.panel} aria-labelledby={id}>
      <Group className={classes.head} justify="space-between" gap="xs">
        <Group gap="xs">
          <Title order={2} id={id}>
            {title}
          </Title>
          {aside}
        </Group>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      <div ref={focusIfScrolled} className={flush ? classes.flush : classes.body}>
        {children}
      </div>
    </section>
  )
}

/** Lets the keyboard scroll what is wider than its place. Without that, it is no stop for the Tab key. */
export function focusIfScrolled(place: HTMLDivElement | null): (() => void) | undefined {
  if (place === null) return undefined
  const observer = new ResizeObserver(() => {
    if (place.scrollWidth > place.clientWidth) place.tabIndex = 0
    else place.removeAttribute('tabindex')
  })
  observer.observe(place)
  return () => observer.disconnect()
}

interface StatProps {
  readonly label: string
  readonly value: ReactNode
  /** What the number means, in a few words under it. */
  readonly hint?: ReactNode
}

/** One number with its name. Goes into a `<dl>`. */
export function Stat({ label, value, hint }: StatProps) {
  return (
    <div>
      <Text component="dt" size="xs" c="dimmed">
        {label}
      </Text>
      <Text component="dd" m={0} fz={20} fw={600} lh="28px">
        {value}
      </Text>
      {hint !== undefined && (
        <Text component="dd" m={0} size="xs" c="dimmed">
          {hint}
        </Text>
      )}
    </div>
  )
}

interface NoticeProps extends Omit<AlertProps, 'icon' | 'variant'> {
  readonly icon?: Icon
  /** Announced when there is nothing else to say; left out, at once. */
  readonly role?: 'status'
  /** A button below the words. */
  readonly action?: { readonly name: string; readonly onClick: () => void } | false
}

/** What a person has to know before they go on. A warning unless it has another color. */
export function Notice({
  icon: Glyph = IconAlertTriangle,
  action,
  children,
  ...rest
}: NoticeProps) {
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

interface PlainButtonProps extends ButtonProps, ElementProps<'button', keyof ButtonProps> {
  /** Before the words. */
  readonly icon?: Icon | undefined
}

/** A button beside the one that the screen is for. */
export function PlainButton({ icon, ...rest }: PlainButtonProps) {
  return <Button variant="default" {...glyphOf(icon, rest)} {...rest} />
}

interface LinkButtonProps extends ButtonProps, Pick<LinkProps, 'to' | 'aria-label'> {
  readonly icon?: Icon
}

/** The same as a link to another screen. */
export function LinkButton({ icon, ...rest }: LinkButtonProps) {
  return <Button component={Link} variant="default" {...glyphOf(icon, rest)} {...rest} />
}

function glyphOf(Glyph: Icon | undefined, { size }: ButtonProps) {
  return Glyph && { leftSection: <Glyph size={size === undefined ? 16 : 14} aria-hidden="true" /> }
}

/** A button in a panel, a table or a notice. */
export function SmallButton(props: PlainButtonProps) {
  return <PlainButton size="xs" {...props} />
}

interface TurnButtonProps extends PlainButtonProps {
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
  readonly hasTooltip?: boolean
}

/** A button without words, named by its label. `hasTooltip`: the label also shows on hover. */
export function IconButton({ icon: Glyph, hasTooltip = false, ...rest }: IconButtonProps) {
  const button = (
    <ActionIcon color="gray" {...rest}>
      <Glyph size={16} aria-hidden="true" />
    </ActionIcon>
  )
  return hasTooltip ? <Tooltip label={rest['aria-label']}>{button}</Tooltip> : button
}
