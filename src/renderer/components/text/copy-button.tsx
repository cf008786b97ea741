import { Group, Tooltip, VisuallyHidden } from '@mantine/core'
import { useTimeout } from '@mantine/hooks'
import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { IconButton, SmallButton } from '../blocks.tsx'
import { text as strings } from '../strings.ts'
import classes from './text.module.css'
import { Strong } from './words.tsx'

interface Props {
  readonly text: string
  /** What is copied, for the label: `the address`. */
  readonly what: string
  /** Shows this word beside the icon. */
  readonly word?: string
}

const LOOK = {
  idle: { Icon: IconCopy, status: '' },
  copied: { Icon: IconCheck, status: strings.copied },
  failed: { Icon: IconAlertTriangle, status: strings.copyFailed },
} as const

/** Copies a text to the clipboard and says whether it worked. */
export function CopyButton({ text, what, word }: Props) {
  const [state, setState] = useState<keyof typeof LOOK>('idle')
  const { start } = useTimeout(() => setState('idle'), 2000)
  const copy = () =>
    copyText(text)
      .then(
        () => setState('copied'),
        () => setState('failed'),
      )
      .finally(() => start())
  const { Icon, status } = LOOK[state]
  const label = strings.copy(what)
  return (
    <>
      {word === undefined ? (
        <Tooltip label={status || label}>
          <IconButton
            icon={Icon}
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={label}
            onClick={copy}
          />
        </Tooltip>
      ) : (
        <SmallButton
          // The text beside the icon is part of the name.
          aria-label={status === '' ? label : undefined}
          icon={Icon}
          onClick={copy}
        >
          {status || word}
        </SmallButton>
      )}
      <VisuallyHidden role="status">{status}</VisuallyHidden>
    </>
  )
}

/** Puts a text on the clipboard. Rejects if the browser does not allow it. */
async function copyText(text: string): Promise<void> {
  // A page that came over plain HTTP from another computer has no clipboard of its own (W3C, Clipboard API).
  if (window.isSecureContext) await navigator.clipboard.writeText(text)
  else copySelected(text)
}

function copySelected(text: string): void {
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.style.position = 'fixed'
  field.style.opacity = '0'
  // Inside of an open dialog, which would take the focus back.
  const parent = focused?.parentElement ?? document.body
  parent.append(field)
  try {
    field.select()
    if (!document.execCommand('copy')) throw new Error('The browser did not copy the text.')
  } finally {
    field.remove()
    if (focused instanceof HTMLElement) focused.focus()
  }
}

/** A text to take elsewhere, with a button that copies it. */
export function CodeBlock({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <figure className={classes.root}>
      <Group component="figcaption" className={classes.head} justify="space-between">
        <Strong>{title}</Strong>
        <CopyButton text={text} what={title} word="Copy" />
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section className={classes.scroll} tabIndex={0} aria-label={title}>
        <pre className={classes.text}>{text}</pre>
      </section>
    </figure>
  )
}
