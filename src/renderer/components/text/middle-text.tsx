import { VisuallyHidden } from '@mantine/core'
import type { ClipboardEvent } from 'react'
import classes from './text.module.css'

/** Characters that are always shown at the end, and the least that are worth a cut. */
const TAIL = 8
const SHORTEST = 20

/**
 * A long id or version in one line. Where there is no room, it is cut in the middle: both ends tell it from others.
 * The full text is shown on hover, read out, and copied.
 */
export function MiddleText({ children: text }: { readonly children: string }) {
  if (text.length < SHORTEST) {
    return (
      <span className="cut" style={{ display: 'block' }} title={text}>
        {text}
      </span>
    )
  }
  // Selected, the parts are several lines.
  const copy = (event: ClipboardEvent<HTMLSpanElement>) => {
    const { anchorNode, focusNode } = window.getSelection() ?? {}
    const isInside = [anchorNode, focusNode].every(
      (node) => node instanceof Node && event.currentTarget.contains(node),
    )
    if (!isInside) return
    event.preventDefault()
    event.clipboardData.setData('text/plain', text)
  }
  return (
    <span className={classes.middle} title={text} onCopy={copy}>
      <VisuallyHidden component="span">{text}</VisuallyHidden>
      <span className={classes.start} aria-hidden="true">
        {text.slice(0, -TAIL)}
      </span>
      <span className={classes.tail} aria-hidden="true">
        {text.slice(-TAIL)}
      </span>
    </span>
  )
}
