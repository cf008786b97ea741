import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { newId } from '../../../shared/new-id.ts'
import { text } from './strings.ts'

/** Milliseconds that a step can be undone from its announcement. */
const UNDO_TIME = 10_000

/** Announces that something was done, with a button that undoes it. */
export function announceUndo(message: string, onUndo: () => Promise<void>): void {
  const id = newId()
  const undo = () => {
    notifications.hide(id)
    void onUndo()
  }
  notifications.show({
    id,
    color: 'tide',
    autoClose: UNDO_TIME,
    withBorder: true,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <Button variant="default" size="compact-sm" flex="none" onClick={undo}>
          {text.undo}
        </Button>
      </Group>
    ),
  })
}
