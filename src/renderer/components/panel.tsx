import { Group, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './components.module.css'

interface Props {
  readonly title: ReactNode
  /** Small print beside the title. */
  readonly aside?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
  /** Leaves out the padding around the content, for tables that go from edge to edge. */
  readonly flush?: boolean
}

/** A part of a screen with a heading of its own. Panels do not go into panels. */
export function Panel({ title, aside, actions, children, flush = false }: Props) {
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
