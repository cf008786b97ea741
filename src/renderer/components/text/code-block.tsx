import { Group, Text } from '@mantine/core'
import classes from './code-block.module.css'
import { CopyButton } from './copy-button.tsx'

interface Props {
  readonly title: string
  readonly text: string
}

/** A text to take elsewhere, with a button that copies it. */
export function CodeBlock({ title, text }: Props) {
  return (
    <figure className={classes.root}>
      <Group component="figcaption" className={classes.head} justify="space-between">
        <Text size="sm" fw={500}>
          {title}
        </Text>
        <CopyButton text={text} what={title} word="Copy" />
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section className={classes.scroll} tabIndex={0} aria-label={title}>
        <pre className={classes.text}>{text}</pre>
      </section>
    </figure>
  )
}
