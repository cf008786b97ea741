import { Tooltip, Typography, VisuallyHidden } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconExternalLink } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { ComponentProps, MouseEvent } from 'react'
import Markdown, { type Components, type ExtraProps } from 'react-markdown'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { shell } from '../../bridge/clients.ts'
import classes from './notes.module.css'

const REMARK = [remarkGfm]
const REHYPE = [rehypeSanitize]

/** Links open in the browser, never in the page; pictures from elsewhere are not loaded. */
const COMPONENTS: Components = { a: OutsideLink, img: PictureText, input: TaskMark }

/** Release notes, rendered. Markup in them that could run or load anything is taken out. */
export function Notes({ markdown }: { readonly markdown: string }) {
  return (
    <Typography fz="sm" className={classes.notes}>
      <Markdown remarkPlugins={REMARK} rehypePlugins={REHYPE} components={COMPONENTS}>
        {markdown}
      </Markdown>
    </Typography>
  )
}

function PictureText({ alt, src }: ComponentProps<'img'> & ExtraProps) {
  return <em>[{alt || (typeof src === 'string' && src) || 'picture'}]</em>
}

/** The box of a task list: a mark to read, not a control. */
function TaskMark({ checked }: ComponentProps<'input'> & ExtraProps) {
  return (
    <span role="img" aria-label={checked ? 'Done' : 'Not done'}>
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
    const failed = () => notifications.show({ message: `${url.host} could not be opened.` })
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
        <VisuallyHidden> (opens {url.host} in the browser)</VisuallyHidden>
      </a>
    </Tooltip>
  )
}
