import { Button, Group, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { formatTime } from '../../components/text/time.ts'
import { text } from '../strings.ts'
import classes from './devices.module.css'

interface Props {
  /** When the list was made. */
  readonly asOf: string
  /** Whether something changed since. */
  readonly outdated: boolean
  readonly onRefresh: () => void
}

/** Says as of when a list is that does not change by itself, and brings it up to date. */
export function Moment({ asOf, outdated, onRefresh }: Props) {
  return (
    <Group gap="xs">
      <Group gap="xs" className={classes.newer} data-shown={outdated}>
        <Text size="sm" c="dimmed">
          {text.newCheckIns}
        </Text>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconRefresh size={14} aria-hidden="true" />}
          onClick={onRefresh}
        >
          {text.refresh}
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        {text.asOf} <time dateTime={asOf}>{formatTime(asOf, 'time')}</time>
      </Text>
    </Group>
  )
}
