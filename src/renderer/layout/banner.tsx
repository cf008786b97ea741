import { Box, Group, Text } from '@mantine/core'
import { IconCircleX, IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Strong } from '../components/text/words.tsx'
import classes from './server-banner.module.css'

interface Props {
  readonly title: string
  readonly text?: string
  readonly failed?: boolean
  readonly children?: ReactNode
}

/** What the foot of the window says about the server in use. */
export function Banner({ title, text, failed = false, children }: Props) {
  const Icon = failed ? IconCircleX : IconRefresh
  return (
    <Group className={classes.root} data-failed={failed} justify="space-between">
      <Group gap="sm" wrap="nowrap" align="start">
        <Icon className={classes.icon} size={20} aria-hidden="true" />
        <div>
          <Strong fw={600}>{title}</Strong>
          {text !== undefined && <Text size="sm">{text}</Text>}
        </div>
      </Group>
      {children !== undefined && <Box flex="none">{children}</Box>}
    </Group>
  )
}
