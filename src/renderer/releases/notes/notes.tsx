import { Tooltip, Typography, VisuallyHidden } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconExternalLink } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ComponentProps, type MouseEvent, memo } from 'react'
import Markdown, { type Components, type ExtraProps } from 'react-markdown'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { shell } from '../../bridge/clients.ts'
import classes from './notes.module.css'
import { text } from './strings.ts'

const REMARK = [remarkGfm]
const REHYPE = [rehypeSanitize]

/** Links open in the browser, never in the page; pictures from elsewhere are not loaded. */
const COMPONENTS: Components = {
  a: OutsideLink,
  img: PictureText,
  input: TaskMark,
  table: ScrollingTable,
  // Notes stand under a heading of the second level.
  h1: 'h3',
  h2: 'h4',
  h3: 'h5',
  h4: 'h6',
}

/**
 * Release notes, rendered. Markup in them that could run or load anything is taken out. Notes of 64 KiB take
 * over half a second, so they are rendered only when they change.
 */
export const Notes = memo(function Notes({ markdown }: { readonly markdown: string }) {
  return (
    <Typography fz="sm" className={classes.notes}>
      <Markdown remarkPlugins={REMARK} rehypePlugins={REHYPE} components={COMPONENTS}>
        {markdown}
      </Markdown>
    </Typography>
  )
})

/** Tables scroll on their own, so that a wide one does not widen the page. */
function ScrollingTable({ children }: ComponentProps<'table'> & ExtraProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={classes.table} tabIndex={0} aria-label={text.table}>
      <table>{children}</table>
    </section>
  )
}

function PictureText({ alt, src }: ComponentProps<'img'> & ExtraProps) {
  return <em>[{alt || (typeof src === 'string' && src) || text.picture}]</em>
}

/** The box of a task list: a mark to read, not a control. */
function TaskMark({ checked }: ComponentProps<'input'> & ExtraProps) {
  return (
    <span role="img" aria-label={checked ? text.done : text.notDone}>
      {checked ? '☑' : '☐'}
    </span>
  )
}

/** A link of the notes. It says where it leads, and opens in the browser of the machine. */
function OutsideLink({ href, children }: ComponentProps<'a'> & ExtraProps) {
  const open = useMutation(shell.shell.openExternal.mutationOptions())
  const url = href === undefined ? null : URL.parse(href)
  if (url === null || !/^https?:$/.test(url.protocol)) return <span>{children}</span>
  const follow = (event: MouseEvent) => {
    event.preventDefault()
    const failed = () => notifications.show({ message: text.notOpened(url.host) })
    open.mutate(
      { url: url.href },
      { onSuccess: ({ opened }) => opened || failed(), onError: failed },
    )
  }
  return (
    <Tooltip label={url.href} multiline maw={480} style={{ overflowWrap: 'anywhere' }}>
      <a href={url.href} onClick={follow}>
        {children}
        <IconExternalLink size={14} stroke={1.75} aria-hidden="true" />
        <VisuallyHidden>{text.opensIn(url.host)}</VisuallyHidden>
      </a>
    </Tooltip>
  )
}
