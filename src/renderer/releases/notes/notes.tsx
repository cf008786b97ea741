import { Typography } from '@mantine/core'
import type { ComponentProps } from 'react'
import Markdown, { type Components, type ExtraProps } from 'react-markdown'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import classes from './notes.module.css'
import { OutsideLink } from './outside-link.tsx'

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
