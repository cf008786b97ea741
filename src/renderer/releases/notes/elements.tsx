import { Tooltip, VisuallyHidden } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconExternalLink } from '@tabler/icons-react'
import type { Components } from 'hast-util-to-jsx-runtime'
import { type ComponentProps, useRef, useState } from 'react'
import { shellClient } from '../../bridge/clients.ts'
import classes from './notes.module.css'
import { text } from './strings.ts'

/** Links open in the browser, never in the page; pictures from elsewhere are not loaded. */
export const ELEMENTS: Partial<Components> = {
  a: OutsideLink,
  img: PictureText,
  input: TaskMark,
  table: ScrollingTable,
}

/** Tables scroll on their own, so that a wide one does not widen the page. */
function ScrollingTable({ children }: ComponentProps<'table'>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={classes.table} tabIndex={0} aria-label={text.table}>
      <table>{children}</table>
    </section>
  )
}

function PictureText({ alt, src }: ComponentProps<'img'>) {
  return <em>{`[${alt || (typeof src === 'string' && src) || text.picture}]`}</em>
}

/** The box of a task list: a mark to read, not a control. */
function TaskMark({ checked }: ComponentProps<'input'>) {
  return (
    <span role="img" aria-label={checked ? text.done : text.notDone}>
      {checked ? '☑' : '☐'}
    </span>
  )
}

/**
 * A link of the notes. It says where it leads, and opens in the browser of the machine. Notes can have a thousand
 * of them, so the tooltip exists only while it is shown.
 */
function OutsideLink({ href, children }: ComponentProps<'a'>) {
  const link = useRef<HTMLAnchorElement>(null)
  const [isNear, setNear] = useState(false)
  const url = href === undefined ? null : URL.parse(href)
  if (url === null || !/^https?:$/.test(url.protocol)) return <span>{children}</span>
  const show = () => setNear(true)
  const hide = () => setNear(false)
  return (
    <>
      <a
        ref={link}
        href={url.href}
        onClick={(event) => {
          event.preventDefault()
          void openOutside(url)
        }}
        onFocus={show}
        onBlur={hide}
        onPointerEnter={show}
        onPointerLeave={hide}
      >
        {children}
        <IconExternalLink size={14} stroke={1.75} aria-hidden="true" />
        <VisuallyHidden>{text.opensIn(url.host)}</VisuallyHidden>
      </a>
      {isNear && (
        <Tooltip
          opened
          target={link}
          label={url.href}
          multiline
          maw={480}
          style={{ overflowWrap: 'anywhere' }}
        />
      )}
    </>
  )
}

async function openOutside({ href, host }: URL): Promise<void> {
  const isOpened = await shellClient.shell.openExternal.mutate({ url: href }).then(
    ({ opened }) => opened,
    () => false,
  )
  if (!isOpened) notifications.show({ message: text.notOpened(host) })
}
